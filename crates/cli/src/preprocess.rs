//! Runs `cc -E` over C sources with Lineal's own headers in place of the system's.
//!
//! Decided here: the target's predefined macros stay (programs test `__x86_64__`, `__GNUC__`),
//! system headers do not (`-nostdinc`): what the bundled ones lack is refused by name instead of
//! being read half-way. `__LINEAL__` is defined. `$CC` is asked if set, else `cc`.

use crate::cc::{self, Ended};
use crate::desk::Desk;
use crate::options::SourceArgs;
use lineal_lang::c11::Unit;
use lineal_model::{Diagnostic, Limit, Place};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub enum Trouble {
    Diagnostics(Vec<Diagnostic>),
    /// A limit was reached meanwhile.
    Stopped(Limit),
}

/// `cc -E` takes milliseconds; one that takes this long hangs.
const PATIENCE: Duration = Duration::from_secs(30);
/// No program that people wrote is larger.
const LARGEST: u64 = 64 << 20;
/// What places in bundled headers are called.
const BUNDLED: &str = "<lineal>";

pub fn run(args: &SourceArgs, headers: &[(&str, &str)], desk: &Desk) -> Result<Vec<Unit>, Trouble> {
    let unreadable: Vec<Diagnostic> = args.files.iter().filter_map(|f| read(f, desk).err()).collect();
    if !unreadable.is_empty() {
        return Err(Trouble::Diagnostics(unreadable));
    }
    let bundled = write_headers(headers, desk).map_err(|error| {
        let d = Diagnostic::error("L0004", format!("cannot write the bundled headers: {error}"))
            .help("they go to the directory for temporary files; set TMPDIR to one that can be written");
        Trouble::Diagnostics(vec![d])
    })?;
    let mut units = Vec::new();
    let mut problems = Vec::new();
    for file in &args.files {
        match one(args, file, bundled.path(), headers, desk) {
            Ok(unit) => units.push(unit),
            Err(Trouble::Diagnostics(found)) => problems.extend(found),
            Err(stopped) => return Err(stopped),
        }
    }
    if problems.is_empty() { Ok(units) } else { Err(Trouble::Diagnostics(problems)) }
}

/// Checks that a file can be a C source at all, and keeps its text for showing lines of it.
fn read(file: &Path, desk: &Desk) -> Result<(), Diagnostic> {
    let name = file.display();
    if file.is_dir() {
        return Err(Diagnostic::error("L0002", format!("`{name}` is a directory"))
            .help("name the C files in it; together they are one program"));
    }
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => Diagnostic::error("L0001", format!("there is no file `{name}`")),
        _ => Diagnostic::error("L0001", format!("cannot read `{name}`: {error}")),
    };
    let about = std::fs::metadata(file).map_err(unreadable)?;
    if !about.is_file() {
        // A device or a pipe may never end, and would be read twice.
        return Err(Diagnostic::error("L0002", format!("`{name}` is no regular file")));
    }
    if about.len() > LARGEST {
        let most = lineal_report::bytes(LARGEST);
        return Err(Diagnostic::error("L0008", format!("`{name}` is larger than {most}")));
    }
    let bytes = std::fs::read(file).map_err(unreadable)?;
    if let Some(nul) = bytes.iter().position(|b| *b == 0) {
        return Err(not_text(&name.to_string(), &bytes, nul, "a NUL byte"));
    }
    desk.source(&name.to_string(), &String::from_utf8_lossy(&bytes));
    Ok(())
}

fn not_text(name: &str, bytes: &[u8], at: usize, what: &str) -> Diagnostic {
    let before = &bytes[..at];
    let line = 1 + before.iter().filter(|b| **b == b'\n').count();
    Diagnostic::error("L0003", format!("`{name}` is no C source: it has {what} in line {line}"))
}

fn write_headers(headers: &[(&str, &str)], desk: &Desk) -> std::io::Result<tempfile::TempDir> {
    let dir = tempfile::Builder::new().prefix("lineal-").tempdir()?;
    for (name, text) in headers {
        let path = dir.path().join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)?;
        desk.source(&format!("{BUNDLED}/{name}"), text);
    }
    Ok(dir)
}

fn one(
    args: &SourceArgs,
    file: &Path,
    bundled: &Path,
    headers: &[(&str, &str)],
    desk: &Desk,
) -> Result<Unit, Trouble> {
    let refuse = |d: Diagnostic| Err(Trouble::Diagnostics(vec![d]));
    let (program, mut command) = compiler();
    command.args(["-E", "-x", "c", "-std=gnu11", "-nostdinc", "-D__LINEAL__=1"]);
    command.arg("-isystem").arg(bundled);
    command.args(args.define.iter().map(|d| format!("-D{d}")));
    for dir in &args.include_dirs {
        command.arg("-I").arg(dir);
    }
    for header in &args.include {
        command.arg("-include").arg(header);
    }
    command.arg(plain_path(file));
    match cc::run(command, PATIENCE, &desk.watch) {
        Ended::Absent(error) => refuse(
            Diagnostic::error("L0005", format!("cannot start the C preprocessor `{program}`: {error}"))
                .note("Lineal reads C with `cc -E` and its own headers", None)
                .help("install a C compiler (gcc or clang), or set CC to one"),
        ),
        Ended::Hung => refuse(
            Diagnostic::error(
                "L0007",
                format!("`{program} -E` did not end within {} s and was stopped", PATIENCE.as_secs()),
            )
            .help("set CC to a C compiler that works"),
        ),
        Ended::TooLarge(bytes) => refuse(Diagnostic::error(
            "L0008",
            format!("`{}` is more than {} after preprocessing", file.display(), lineal_report::bytes(bytes)),
        )),
        Ended::Stopped(limit) => Err(Trouble::Stopped(limit)),
        Ended::Failed { stderr, status } => {
            Err(Trouble::Diagnostics(cc_errors(&program, &stderr, &status, bundled, headers)))
        }
        Ended::Well(output) => match String::from_utf8(output) {
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let (byte, place) = (error.as_bytes()[at], marked_place(error.as_bytes(), at));
                let d = Diagnostic::error("L0003", format!("the byte 0x{byte:02x} is not UTF-8 text"));
                refuse(match place {
                    Some(place) => d.at(place),
                    None => d.note(format!("in `{}`", file.display()), None),
                })
            }
            Ok(text) => Ok(Unit { name: file.display().to_string(), text: rename_bundled(text, bundled) }),
        },
    }
}

/// `$CC` may hold a program and its first arguments.
fn compiler() -> (String, Command) {
    let cc = std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty()).unwrap_or("cc".into());
    let mut words = cc.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words);
    command.env("LC_ALL", "C");
    (cc, command)
}

/// A file called `-x.c` is no flag.
fn plain_path(file: &Path) -> PathBuf {
    if file.as_os_str().as_encoded_bytes().starts_with(b"-") {
        Path::new(".").join(file)
    } else {
        file.into()
    }
}

/// Bundled headers are shown by a name that means something to a reader.
fn rename_bundled(text: String, bundled: &Path) -> String {
    let Some(dir) = bundled.to_str() else { return text };
    if !text.contains(dir) {
        return text;
    }
    text.split_inclusive('\n')
        .map(|line| if line.starts_with('#') { line.replace(dir, BUNDLED) } else { line.to_string() })
        .collect()
}

/// Where a byte of `cc -E`'s output comes from, by the linemarker before it.
fn marked_place(output: &[u8], at: usize) -> Option<Place> {
    let mut place: Option<(String, u32)> = None;
    for line in output[..at].split(|b| *b == b'\n') {
        let text = String::from_utf8_lossy(line);
        let marker = text.strip_prefix("# ").and_then(|rest| {
            let (number, rest) = rest.split_once(' ')?;
            Some((rest.strip_prefix('"')?.split('"').next()?.to_string(), number.parse().ok()?))
        });
        match (marker, &mut place) {
            // The count is of the line under way: the one after the last break.
            (Some((file, line)), _) => place = Some((file, u32::saturating_sub(line, 1))),
            (None, Some((_, line))) => *line += 1,
            (None, None) => {}
        }
    }
    place.map(|(file, line)| Place::line(file, line))
}

/// What `cc` said, a diagnostic for each error it could place.
fn cc_errors(
    program: &str,
    stderr: &str,
    status: &str,
    bundled: &Path,
    headers: &[(&str, &str)],
) -> Vec<Diagnostic> {
    const MOST: usize = 20;
    let stderr = bundled.to_str().map_or(stderr.to_string(), |dir| stderr.replace(dir, BUNDLED));
    let found: Vec<Diagnostic> = stderr
        .lines()
        .filter_map(|line| {
            let (place, message) =
                line.split_once(": error: ").or_else(|| line.split_once(": fatal error: "))?;
            let mut d = Diagnostic::error("L0006", message.trim());
            if let Some(place) = cc_place(place) {
                d = d.at(place);
            }
            if message.contains("No such file or directory") || message.contains("file not found") {
                let names: Vec<&str> = headers.iter().map(|(name, _)| *name).collect();
                d = d
                    .note(format!("Lineal has its own system headers: {}", names.join(", ")), None)
                    .help("for headers of your own, add -I DIR; leave others out with #ifndef __LINEAL__");
            }
            Some(d)
        })
        .take(MOST)
        .collect();
    if !found.is_empty() {
        return found;
    }
    let said: Vec<&str> = stderr.trim().lines().take(MOST).collect();
    let said =
        if said.is_empty() { "it printed nothing".into() } else { format!("it said: {}", said.join("\n")) };
    vec![Diagnostic::error("L0006", format!("`{program} -E` failed ({status})")).note(said, None)]
}

/// `file:line:column`.
fn cc_place(text: &str) -> Option<Place> {
    let mut parts = text.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    Some(Place::new(parts.next()?, line, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_the_output_are_found_in_the_source() {
        let output = b"# 1 \"a.c\"\nint x;\n# 7 \"b.h\" 1\n\nint y\xff;\n";
        let at = output.iter().position(|b| *b == 0xff).unwrap();
        assert_eq!(marked_place(output, at), Some(Place::line("b.h", 8)));
    }

    #[test]
    fn errors_of_cc_are_placed() {
        let stderr =
            "In file included from a.c:1:\na.c:3:10: fatal error: foo.h: No such file or directory\n";
        let found = cc_errors("cc", stderr, "exit status: 1", Path::new("/nowhere"), &[("stdio.h", "")]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].at, Some(Place::new("a.c", 3, 10)));
        assert!(found[0].message.starts_with("foo.h"));
        assert!(found[0].help.is_some());
    }

    #[test]
    fn an_unplaced_failure_is_quoted() {
        let found = cc_errors("cc", "cc: broken\n", "exit status: 4", Path::new("/nowhere"), &[]);
        assert!(found[0].notes[0].message.contains("cc: broken"));
    }

    #[test]
    fn bundled_headers_have_a_name() {
        let text = rename_bundled("# 1 \"/x/y/a.h\"\nint x; // /x/y\n".into(), Path::new("/x/y"));
        assert_eq!(text, "# 1 \"<lineal>/a.h\"\nint x; // /x/y\n");
    }
}
