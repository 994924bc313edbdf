//! Whole single-threaded programs: types, globals, functions, and a `main` that sums up.

use super::decl::{Array, Member, Names, Object, Place, Pointer};
use super::expr::Exprs;
use super::integer::{ALL, Integer};
use super::stmt::{Body, Function, Param, Returned};
use lineal_sweep::Choices;

/// A program whose every value ends up in `unsigned long long result`, which it also prints.
/// It has no undefined and no unspecified behaviour, on machines with our sizes of types.
pub fn generate(seed: u64) -> String {
    generate_prefixed(seed, "")
}

/// The same program with `prefix` before every name of file scope, `main` included, so that many
/// fit into one translation unit.
pub fn generate_prefixed(seed: u64, prefix: &str) -> String {
    let mut random = Choices::new(seed);
    let mut names = Names { prefix: prefix.to_string(), ..Names::default() };
    let mut out = format!("// seed {seed}\n#include <stdio.h>\n#include <string.h>\n\n");
    out += &preamble(prefix);
    out += &globals(&mut random, &mut names);
    let (text, functions) = functions(&mut random, &mut names);
    out += &text;
    out += &main(&mut random, &mut names, &functions);
    out
}

fn preamble(prefix: &str) -> String {
    let kinds: Vec<String> =
        ALL.iter().enumerate().map(|(i, t)| format!("{}: {}", t.name(), i + 1)).collect();
    format!(
        "#define {prefix}KIND(...) _Generic((__VA_ARGS__), {})\n\
         unsigned long long {prefix}result;\n\
         static void {prefix}mix(unsigned long long v)\n\
         {{\n    {prefix}result = ({prefix}result ^ v) * 1099511628211ull;\n    {prefix}result ^= {prefix}result >> 29;\n}}\n\
         union {prefix}U {{\n    unsigned long long w;\n    unsigned char b[8];\n    unsigned short h[4];\n    int i[2];\n    \
         struct {{ unsigned lo; short s; unsigned char c[2]; }};\n    \
         struct {{ unsigned a : 3; int b : 11; unsigned c : 18; unsigned d; }} f;\n}};\n",
        kinds.join(", ")
    )
}

fn globals(random: &mut Choices, names: &mut Names) -> String {
    let prefix = names.prefix.clone();
    let mut out = String::new();
    // Enumerations: without negative constants the type is unsigned, otherwise int.
    let negative = random.chance(50);
    let first = if negative { -3 } else { 2 };
    out += &format!(
        "enum {prefix}E {{ {prefix}EA = {first}, {prefix}EB, {prefix}EC = 'k', {prefix}ED = {prefix}EC + 4 }};\n"
    );
    for (name, v) in [("EA", first), ("EB", first + 1), ("EC", 107), ("ED", 111)] {
        names.constants.push((format!("{prefix}{name}"), v));
    }
    for _ in 0..random.range(1, 3) {
        names.define_struct(random);
        out += &names.structs[names.structs.len() - 1].definition.clone();
    }
    for (k, ty) in ALL.iter().enumerate() {
        let v = Exprs { random, names }.constant().text;
        out += &format!("static {} {prefix}g{k} = {v};\n", ty.name());
        names.scalars.push(Place { text: format!("{prefix}g{k}"), ty: *ty, bits: None, writable: true });
    }
    out += &format!("static enum {prefix}E {prefix}ge = {prefix}EB;\n");
    let ty = if negative { Integer::Int } else { Integer::UInt };
    names.scalars.push(Place { text: format!("{prefix}ge"), ty, bits: None, writable: true });
    for k in 0..random.range(1, 3) {
        let ty = *random.pick_ref(&ALL);
        let dims = if random.chance(30) { vec![3, 2] } else { vec![*random.pick_ref(&[3, 4, 8])] };
        let size: String = dims.iter().map(|n| format!("[{n}]")).collect();
        let v = Exprs { random, names }.constant().text;
        let at = "[1]".repeat(dims.len());
        out += &format!("static {} {prefix}a{k}{size} = {{ {at} = {v} }};\n", ty.name());
        names.arrays.push(Array { text: format!("{prefix}a{k}"), ty, dims });
    }
    for of in 0..names.structs.len() {
        let ty = names.structs[of].name.clone();
        let init = Exprs { random, names }.braces(of, true);
        out += &format!("static {ty} {prefix}s{of} = {init};\n");
        names.objects.push(Object { text: format!("{prefix}s{of}"), of });
    }
    out += &format!("static union {prefix}U {prefix}u = {{ .w = {}ull }};\n", random.bits() >> 1);
    names.unions.push(format!("{prefix}u"));
    let ty = *random.pick_ref(&ALL);
    out += &format!("static {} *{prefix}gp = &{};\n", ty.name(), names.anchor(ty));
    names.pointers.push(Pointer { text: format!("{prefix}gp"), ty });
    out += &format!("static {} **{prefix}gpp = &{prefix}gp;\n\n", ty.name());
    names.doubles.push(Pointer { text: format!("{prefix}gpp"), ty });
    out
}

fn functions(random: &mut Choices, names: &mut Names) -> (String, Vec<Function>) {
    let mut out = String::new();
    let mut functions: Vec<Function> = Vec::new();
    for k in 0..random.range(2, 4) {
        let recursive = random.chance(25);
        let name = format!("{}f{k}", names.prefix);
        let mark = names.mark();
        let mut params = Vec::new();
        let mut list = Vec::new();
        if recursive {
            list.push("unsigned depth".to_string());
        }
        for j in 0..random.range(1, 3) {
            let p = format!("x{j}");
            let ty = *random.pick_ref(&ALL);
            let of = random.below(names.structs.len());
            match random.below(5) {
                0 if !recursive => {
                    list.push(format!("{} *{p}", ty.name()));
                    names.pointers.push(Pointer { text: p, ty });
                    params.push(Param::Pointer(ty));
                }
                1 if !recursive => {
                    list.push(format!("{} {p}", names.structs[of].name));
                    names.objects.push(Object { text: p, of });
                    params.push(Param::Struct(of));
                }
                2 if !recursive => {
                    list.push(format!("{} *{p}", names.structs[of].name));
                    names.objects.push(Object { text: format!("(*{p})"), of });
                    params.push(Param::StructPointer(of));
                }
                _ => {
                    list.push(format!("{} {p}", ty.name()));
                    names.scalars.push(Place { text: p, ty, bits: None, writable: true });
                    params.push(Param::Int(ty));
                }
            }
        }
        let struct_result = !recursive && random.chance(25);
        let of = random.below(names.structs.len());
        let ty = *random.pick_ref(&ALL);
        let result = if struct_result { names.structs[of].name.clone() } else { ty.name().to_string() };
        let mut body = Body::new(random, names, &functions, 1_500);
        if recursive {
            // The guard comes first; each call is one level shallower.
            let v = body.exprs().any(2).text;
            body.line(&format!("if (depth == 0) return {v};"));
        }
        let count = body.random.range(3, 7);
        body.statements(count, 2);
        if recursive {
            let args: Vec<String> = params.iter().map(|_| body.exprs().any(1).text).collect();
            body.line(&format!("{} below = {name}(depth - 1, {});", ty.name(), args.join(", ")));
            body.mix("below");
        }
        let value = if struct_result {
            let same: Vec<String> =
                body.names.objects.iter().filter(|o| o.of == of).map(|o| o.text.clone()).collect();
            body.random.pick_ref(&same).clone()
        } else {
            body.exprs().any(2).text
        };
        body.line(&format!("return {value};"));
        let (text, cost) = (body.out, body.cost);
        out += &format!("static {result} {name}({})\n{{\n{text}}}\n\n", list.join(", "));
        names.close(mark);
        if recursive {
            // A wrapper bounds the depth and looks like any other function.
            let own: Vec<String> = params.iter().enumerate().map(|(j, _)| format!("x{j}")).collect();
            out += &format!(
                "static {result} {name}_({})\n{{\n    return {name}(({} & 3) + 1, {});\n}}\n\n",
                list[1..].join(", "),
                own[0],
                own.join(", ")
            );
        }
        functions.push(Function {
            name: if recursive { format!("{name}_") } else { name },
            params,
            returned: if struct_result { Returned::Struct(of) } else { Returned::Int(ty) },
            cost: if recursive { 5 * cost } else { cost },
        });
    }
    // Two functions of one type, called through a table.
    let p = names.prefix.clone();
    let [a, b] = [0, 1].map(|_| {
        names.scalars.push(Place { text: "n".to_string(), ty: Integer::Long, bits: None, writable: true });
        let e = Exprs { random, names }.any(3).text;
        names.scalars.pop();
        e
    });
    out += &format!(
        "static long {p}t0(long n) {{ return (long){a}; }}\nstatic long {p}t1(long n) {{ return (long){b}; }}\n"
    );
    out += &format!("static long (*{p}table[])(long) = {{ {p}t0, &{p}t1 }};\n");
    out += &format!("static long {p}tf(unsigned i, long n) {{ return {p}table[i & 1](n); }}\n\n");
    let params = vec![Param::Int(Integer::UInt), Param::Int(Integer::Long)];
    functions.push(Function {
        name: format!("{p}tf"),
        params,
        returned: Returned::Int(Integer::Long),
        cost: 12,
    });
    (out, functions)
}

fn main(random: &mut Choices, names: &mut Names, functions: &[Function]) -> String {
    let mark = names.mark();
    let mut body = Body::new(random, names, functions, 8_000);
    for _ in 0..3 {
        body.call();
    }
    let count = body.random.range(5, 10);
    body.statements(count, 3);
    for _ in 0..2 {
        body.call();
    }
    summary(&mut body);
    let text = body.out;
    names.close(mark);
    let p = &names.prefix;
    format!("int {p}main(void)\n{{\n{text}    printf(\"%llu\\n\", {p}result);\n    return 0;\n}}\n")
}

/// Takes every integer in scope into account.
fn summary(body: &mut Body) {
    let mut reads: Vec<String> = body.names.scalars.iter().map(|s| s.text.clone()).collect();
    for a in &body.names.arrays {
        let total: usize = a.dims.iter().product();
        for i in 0..total {
            reads.push(match a.dims.len() {
                1 => format!("{}[{i}]", a.text),
                _ => format!("{}[{}][{}]", a.text, i / a.dims[1], i % a.dims[1]),
            });
        }
    }
    for o in &body.names.objects {
        members(body.names, &o.text, o.of, &mut reads);
    }
    reads.extend(body.names.unions.iter().map(|u| format!("{u}.w")));
    reads.extend(body.names.pointers.iter().map(|p| format!("*{}", p.text)));
    for read in reads {
        body.mix(&read);
    }
}

fn members(names: &Names, object: &str, of: usize, out: &mut Vec<String>) {
    for (name, member) in &names.structs[of].members {
        match member {
            Member::Int(_) | Member::Bits(..) => out.push(format!("{object}.{name}")),
            Member::Array(_, n) => out.extend((0..*n).map(|i| format!("{object}.{name}[{i}]"))),
            Member::Struct(s) => members(names, &format!("{object}.{name}"), *s, out),
            Member::Pointer(_) => out.push(format!("*{object}.{name}")),
        }
    }
}
