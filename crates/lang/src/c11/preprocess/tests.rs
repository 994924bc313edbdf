//! The examples of the standard, and what gcc does where the standard says nothing.

use super::{Bundled, Setup, Shelf, spellings};
use crate::c11::{Options, Unit, load};
use lineal_model::Diagnostic;
use std::rc::Rc;

/// Files by name.
struct Given(&'static [(&'static str, &'static str)]);

impl Shelf for Given {
    fn read(&self, path: &str) -> Result<Option<Rc<[u8]>>, Diagnostic> {
        match self.0.iter().find(|(name, _)| *name == path) {
            Some((_, text)) => Ok(Some(text.as_bytes().into())),
            None => Bundled.read(path),
        }
    }
}

#[track_caller]
fn check(source: &str, expected: &str) {
    check_with(&[], Setup::default(), source, expected);
}

#[track_caller]
fn check_with(
    files: &'static [(&'static str, &'static str)],
    setup: Setup<'_>,
    source: &str,
    expected: &str,
) {
    let found = spellings("dir/a.c", source.as_bytes(), setup, &Given(files));
    assert_eq!(found.unwrap_or_else(|d| panic!("{d:?}")).join(" "), expected);
}

/// The first error, with its place.
#[track_caller]
fn refused(source: &str) -> String {
    refused_with(&[], source)
}

#[track_caller]
fn refused_with(files: &'static [(&'static str, &'static str)], source: &str) -> String {
    let found = spellings("a.c", source.as_bytes(), Setup::default(), &Given(files));
    let found = found.expect_err("it is refused");
    let at = found[0].at.as_ref().map_or(String::new(), |p| p.to_string());
    format!("{at}: {} {}", found[0].code, found[0].message)
}

#[test]
fn examples_of_the_standard_3() {
    let definitions = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n\
        #define z z[0]\n#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n\
        #define q(x) x\n#define r(x,y) x ## y\n#define str(x) # x\n";
    let case = |text: &str, expected: &str| check(&format!("{definitions}{text}"), expected);
    case(
        "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);",
        "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ;",
    );
    case(
        "g(x+(3,4)-w) | h 5) & m\n(f)^m(m);",
        "f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ;",
    );
    case("p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };", "int i [ ] = { 1 , 23 , 4 , 5 , } ;");
    case("char c[2][6] = { str(hello), str() };", "char c [ 2 ] [ 6 ] = { \"hello\" , \"\" } ;");
}

#[test]
fn examples_of_the_standard_4() {
    let definitions = "#define str(s) # s\n#define xstr(s) str(s)\n\
        #define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", \\\n x ## s, x ## t)\n\
        #define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n\
        #define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\n";
    let case = |text: &str, expected: &str| check(&format!("{definitions}{text}"), expected);
    case("debug(1, 2);", "printf ( \"x\" \"1\" \"= %d, x\" \"2\" \"= %s\" , x1 , x2 ) ;");
    case(
        "fputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') // this goes away\n== 0) str(: @\\n), s);",
        "fputs ( \"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\" \": @\\n\" , s ) ;",
    );
    case("xstr(INCFILE(2).h)", "\"vers2.h\"");
    case("glue(HIGH, LOW);", "\"hello\" ;");
    case("xglue(HIGH, LOW)", "\"hello\" \", world\"");
}

#[test]
fn examples_of_the_standard_5_to_7() {
    check(
        "#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };",
        "int j [ ] = { 123 , 45 , 67 , 89 , 10 , 11 , 12 , } ;",
    );
    // The same again, and so no difference.
    check(
        "#define OBJ_LIKE (1-1)\n#define OBJ_LIKE /* white space */ (1-1) /* other */\nOBJ_LIKE",
        "( 1 - 1 )",
    );
    check(
        "#define debug(...) fprintf(stderr, __VA_ARGS__)\n#define showlist(...) puts(#__VA_ARGS__)\n\
         #define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))\n\
         debug(\"X = %d\\n\", x); showlist(The first, second, and third items.); report(x>y, \"%d\", x);",
        "fprintf ( stderr , \"X = %d\\n\" , x ) ; puts ( \"The first, second, and third items.\" ) ; \
         ( ( x > y ) ? puts ( \"x>y\" ) : printf ( \"%d\" , x ) ) ;",
    );
}

#[test]
fn names_that_come_up_again() {
    check("#define foo foo + 1\nfoo", "foo + 1");
    check("#define a b\n#define b a\na b", "a b");
    check("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g");
    check("#define f(x) x f\nf(1)(2)(3)", "1 f ( 2 ) ( 3 )");
    check(
        "#define NIL(xxx) xxx\n#define G_0(a) NIL(G_1)(a)\n#define G_1(a) NIL(G_0)(a)\nG_0(42)",
        "G_0 ( 42 )",
    );
    check("#define EMPTY\n#define LP (\n#define f(x) [x]\nf LP 1) f EMPTY (1)", "f ( 1 ) f ( 1 )");
}

/// White space around what is replaced by nothing, as gcc keeps it.
#[test]
fn white_space_shows_when_quoted() {
    let definitions = "#define str(s) #s\n#define xstr(s) str(s)\n#define E\n#define e()\n#define g(x) [x]\n\
        #define h(x) x b\n#define A(x, y) (y x)\n";
    let case = |text: &str, expected: &str| check(&format!("{definitions}xstr({text})"), expected);
    case("a e()b", "\"a b\"");
    case("-g( a)g( )", "\"-[a][]\"");
    case("-h()", "\"- b\"");
    case("-A(1, E $)", "\"-( $ 1)\"");
    case("g(a e())b g(e())", "\"[a ]b []\"");
    case("  a  /* x */  b\n c  ", "\"a b c\"");
}

#[test]
fn calls_go_on_over_lines_and_directives() {
    check("#define f(x, y) x-y\nf\n(1,\n2)", "1 - 2");
    check("#define f(x) <x>\nf(1\n#define two 2\n#ifdef two\ntwo\n#else\nno\n#endif\n)", "< 1 2 >");
    check("#define f(x) <x>\nf\n#define f 3\n(1) f", "f ( 1 ) 3");
}

#[test]
fn what_is_left_over() {
    check("#define e(f, ...) p(f, ##__VA_ARGS__)\ne(1) e(1,) e(1,2,3)", "p ( 1 ) p ( 1 , ) p ( 1 , 2 , 3 )");
    check("#define e(...) p(a, ##__VA_ARGS__)\ne() e(1)", "p ( a ) p ( a , 1 )");
    check("#define e(f, args...) p(f, args)\ne(1, 2, 3)", "p ( 1 , 2 , 3 )");
    check("#define f(x, ...) g(x __VA_OPT__(, [) __VA_ARGS__)\nf(1) f(1, 2)", "g ( 1 ) g ( 1 , [ 2 )");
    check("#define f(...) #__VA_OPT__(a  b)\nf() f(1)", "\"\" \"a b\"");
}

#[test]
fn lines_are_spliced_and_comments_are_space() {
    check("#def\\\nine ab\\\nc 1\\\n2\nabc /* x\ny */ + // z \\\n still\n-", "12 + -");
    check("/* a */ # /* b */ define /* c */ A /* d\n */ 1\nA", "1");
    check("\"a\\\nb\" 'c\\\r\n'", "\"ab\" 'c'");
    check("%:define f(x) %:x x%:%:1\n<: f(a) :> <% %>", "<: \"a\" a1 :> <% %>");
}

#[test]
fn conditions() {
    let yes = [
        "1",
        "-1 < 0",
        "-1 > 0u",
        "'a' == 97",
        "'\\377' < 0",
        "(1 ? 2 : 1/0) == 2",
        "1 || 1/0",
        "!x",
        "0x7fffffffffffffff + 1 < 0",
        "18446744073709551615u == -1",
        "(2, 1)",
        "-7 / 2 == -3",
        "-7 % 2 == -1",
        "1 << 2 == 4",
        "-8 >> 1 == -4",
        "defined __x86_64__ && defined(__GNUC__)",
        "__has_include(<stdio.h>)",
        "!__has_include(\"nowhere.h\")",
        "__has_attribute(noinline) && __has_builtin(__builtin_expect)",
        "defined __has_include",
        "__CHAR_BIT__ == 8 && __LINEAL__",
        "__STDC_VERSION__ == 201112L",
        "L'é' == 233",
        "!defined __SIZEOF_INT128__",
        "'ab' == 24930",
        "(0 ? -1 : 0u) == 0",
    ];
    for condition in yes {
        check(&format!("#if {condition}\nyes\n#else\nno\n#endif"), "yes");
        check(&format!("#if 0\n#elif !({condition})\nno\n#elif 1\nyes\n#elif 1/0\n#else\nno\n#endif"), "yes");
    }
    check("#define D defined\n#define E D(X)\n#define X\n#if E && D X\nyes\n#endif", "yes");
    check("#if 0\ndon't \"\n#if 1\n#else garbage\n#endif\n#frobnicate\n#else\nyes\n#endif", "yes");
    check("#ifdef A\n1\n#elif defined B\n2\n#else\n3\n#endif\n#ifndef A\n4\n#endif", "3 4");
}

#[test]
fn headers_are_found() {
    let files: &[(&str, &str)] = &[
        ("dir/b.h", "#ifndef B\n#define B\nb __FILE__\n#include \"sub/c.h\"\n#endif\n"),
        ("dir/sub/c.h", "#pragma once\nc __LINE__ __INCLUDE_LEVEL__\n#include \"d.h\"\n"),
        ("inc/d.h", "d\n#include_next <d.h>\n"),
        ("other/d.h", "next\n"),
        ("first.h", "first\n"),
    ];
    let dirs = ["inc".to_string(), "other".into()];
    let (define, include) = (["N=d.h".to_string(), "ONE".into()], ["first.h".to_string()]);
    let setup = Setup { define: &define, include_dirs: &dirs, include: &include };
    let source = "#include \"b.h\"\n#include \"b.h\"\n#include \"sub/c.h\"\n#define S <N>\n#include S\nONE";
    check_with(files, setup, source, "first b \"dir/b.h\" c 2 2 d next d next 1");
    check("#include <stdbool.h>\ntrue", "1");
    let found = refused_with(&[("a.h", "#include \"a.h\"")], "#include \"a.h\"");
    assert_eq!(found, "a.h:1:10: L0008 files include one another more than 200 deep");
}

#[test]
fn lines_have_names() {
    check(
        "__LINE__\n#line 10 \"x.c\"\n__LINE__ __FILE__\n# 3 \"y\\\\.c\" 1\n__LINE__ __FILE__",
        "1 10 \"x.c\" 3 \"y\\\\.c\"",
    );
    check("#define f(x) x __LINE__\nf(\n__LINE__)", "3 2");
    check("__DATE__ __TIME__ __COUNTER__ __COUNTER__ __func__", "\"Jan  1 1970\" \"00:00:00\" 0 1 __func__");
}

#[test]
fn pragmas_are_passed_on() {
    check("#define x 1\n#pragma omp   a = f( x )\nx", "#pragma omp a = f( x ) 1");
    check("#define P(x) _Pragma(#x) x\nP(omp \"a\\\\b\") ;", "#pragma omp \"a\\\\b\" omp \"a\\\\b\" ;");
    check(
        "#define X 1\n#pragma push_macro(\"X\")\n#undef X\n#define X 2\nX\n#pragma pop_macro(\"X\")\nX",
        "2 1",
    );
}

#[test]
fn macros_in_our_own_pragmas_are_those_at_the_end() {
    check(
        "#pragma lineal op put = PUT(value) -> p->q, full if -result == NONE\n\
         #define put bad\n#define value bad\n#define PUT(x) do_put(&q, x, p->q)\n#define NONE -1\n\
         #define full bad",
        "#pragma lineal op put = do_put(&q, value, p->q) -> p->q, full if -result == -1",
    );
    check(
        "#define queue bad\n#define N 4\n#define R bad\n#pragma lineal object queue level=R capacity=N",
        "#pragma lineal object queue level=R capacity=4",
    );
    check("#define M -x\n#pragma lineal init f(-M)", "#pragma lineal init f(- -x)");
}

#[test]
fn what_is_wrong_has_a_place() {
    let cases = [
        ("\n  #error not  here", "a.c:2:3: L0006 #error not here"),
        ("#if 1\nint x;", "a.c:1:1: L0006 this condition has no #endif"),
        ("#endif", "a.c:1:2: L0006 #endif without #if"),
        ("#if 1\n#else\n#else\n#endif", "a.c:3:2: L0006 #else behind #else"),
        ("#define f(x) x\n  f(1, 2)", "a.c:2:3: L0006 the macro `f` takes 1 argument, and is given 2"),
        ("#define f(x,...) x\nf(", "a.c:2:1: L0006 the call of the macro `f` is not closed"),
        ("#define f(x) #y", "a.c:1:14: L0006 `#` is not followed by a parameter of the macro"),
        ("#define f ##", "a.c:1:11: L0006 `##` stands between two tokens"),
        ("#define f(x) x##+\nf(a)", "a.c:2:1: L0006 `a` and `+` make no token together"),
        ("#if 1 +\n#endif", "a.c:1:7: L0006 a value is missing at the end of the condition"),
        ("#if 1/0\n#endif", "a.c:1:6: L0006 division by zero"),
        ("#if 1.0\n#endif", "a.c:1:5: L0006 a condition has no floating-point numbers"),
        ("#include <nowhere.h>", "a.c:1:10: L0006 there is no header `nowhere.h`"),
        ("#include stdio.h", "a.c:1:10: L0006 #include needs \"FILE\" or <FILE>"),
        ("#frob", "a.c:1:2: L0006 `#frob` is no directive"),
        ("int /* x", "a.c:1:5: L0006 this comment is not closed"),
        ("é /* é */ é #\n#define defined", "a.c:2:9: L0006 `defined` is no name for a macro"),
    ];
    for (source, expected) in cases {
        assert_eq!(refused(source), expected, "{source}");
    }
}

#[test]
fn nothing_is_endless() {
    let mut doubling = String::new();
    (0..60).for_each(|i| doubling += &format!("#define x{i} x{} x{}\n", i + 1, i + 1));
    assert!(refused(&format!("{doubling}x0")).contains("L0008"));
    // Even if nothing comes out.
    assert!(refused(&format!("{doubling}#define x60\nx0")).contains("L0008"));
    let twice = "#if __INCLUDE_LEVEL__ < 150\n#include \"a.h\"\n#include \"a.h\"\n#endif\n";
    assert!(refused_with(Box::leak(Box::new([("a.h", twice)])), "#include \"a.h\"").contains("L0008"));
}

#[test]
fn nothing_is_too_deep() {
    let n = 100_000;
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(n), close.repeat(n));
    assert!(refused(&format!("#if {}\n#endif", deep("(", ")"))).contains("nests more than"));
    assert!(refused(&format!("#define f(x) x\n{}", deep("f(", ")"))).contains("L0008"));
    check(&format!("#define f(x) x\n{}", "f(".repeat(500) + "1" + &")".repeat(500)), "1");
    check(&format!("#if {}1\nyes\n#endif", "!".repeat(n)), "yes");
    let chain: String = (0..20_000).map(|i| format!("#define x{i} x{}\n", i + 1)).collect();
    check(&format!("{chain}x0"), "x20000");
}

/// A caret behind a macro, behind letters that take two bytes, and for what a macro's body says.
#[test]
fn columns_are_those_of_the_source() {
    let place = |source: &str| {
        let found = Unit::of("a.c", source).and_then(|unit| load(&[unit], &Options::default()));
        let d = found.expect_err("it is refused").remove(0);
        let at = d.at.unwrap();
        (at.line, at.column, at.width)
    };
    assert_eq!(place("#define LONG_NAME 1\nint main(void) { return LONG_NAME + oops; }"), (2, 37, 4));
    assert_eq!(place("#define N(x) (x)\nint main(void) { return 1 + N(oops) + 1; }"), (2, 31, 4));
    assert_eq!(place("#define N (1 + oops)\nint main(void) { return 1 + N; }"), (2, 29, 1));
    assert_eq!(place("int main(void) { char *s = \"éé\"; return oops; }"), (1, 41, 4));
    assert_eq!(place("int main(void) { ret\\\nurn oops; }"), (2, 5, 4));
}

#[test]
fn bytes_that_are_no_text() {
    let found = spellings("a.c", b"int x; // \xff\n\"\xc3\xa9\xff\"", Setup::default(), &Bundled);
    let found = found.unwrap_err();
    assert_eq!((found[0].code, found[0].at.as_ref().unwrap().to_string()), ("L0003", "a.c:2:3".into()));
}

#[test]
fn a_second_definition_is_a_warning() {
    let (_, warnings) =
        Unit::new("a.c", b"#define A 1\n#define A 2\n#warning look\n", Setup::default(), &Bundled).unwrap();
    let said: Vec<&str> = warnings.iter().map(|d| &*d.message).collect();
    assert_eq!(said, ["`A` is defined a second time", "#warning look"]);
    assert_eq!(warnings[0].notes[0].at.as_ref().unwrap().to_string(), "a.c:1:9");
}

#[test]
fn what_is_nothing_at_an_end_of_va_opt_is_not_pasted() {
    let opt = |body: &str, args: &str, expected: &str| {
        check(&format!("#define f(p, q, ...) {body}\nf({args})"), expected);
    };
    opt("__VA_OPT__(a p ## p) ## b", ",,1", "a b");
    opt("x##__VA_OPT__(k l p)##y", ",,1", "xk l y");
    opt("x##__VA_OPT__(p k l)##y", ",,1", "x k ly");
    opt("x##__VA_OPT__(p)##y", ",,1", "xy");
    opt("x __VA_OPT__(p k p) y", ",,1", "x k y");
    opt("x##__VA_OPT__(p q)##y", ",,1", "x y");
    opt("x##__VA_OPT__(p q)##y", ",w,1", "x wy");
    opt("x##__VA_OPT__(p q)##y", "v,,1", "xv y");
    opt("x##__VA_OPT__(p##p k)##y", ",,1", "x ky");
    opt("x##__VA_OPT__(k p##p)##y", ",,1", "xk y");
    opt("#__VA_OPT__(k p##p)", ",,1", "\"k\"");
    opt("x##__VA_OPT__(k l p)##y", "z,,1", "xk l zy");
}
