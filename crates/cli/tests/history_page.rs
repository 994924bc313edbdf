//! The time line page, opened in a headless Chromium. Skipped, with a message, where there is none.

use std::path::{Path, PathBuf};
use std::process::Command;

fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path)
        .flat_map(|d| ["chromium", "chromium-browser", "google-chrome"].map(|n| d.join(n)))
        .find(|p| p.is_file());
    if found.is_none() {
        println!("skipped: no Chromium on PATH");
    }
    found
}

fn page(directory: &Path, log: &str, flags: &[&str]) -> PathBuf {
    let (file, page) = (directory.join("log"), directory.join("page.html"));
    std::fs::write(&file, log).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_lineal"))
        .arg("history")
        .arg(&file)
        .args(flags)
        .arg("--html")
        .arg(&page)
        .output()
        .unwrap();
    assert!(page.is_file(), "{}", String::from_utf8_lossy(&output.stderr));
    page
}

/// What the page's body says about itself once its script has run.
struct Shown(String);

impl Shown {
    fn new(browser: &Path, page: &Path, place: &str) -> Shown {
        let home = tempfile::tempdir().unwrap();
        let output = Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "--window-size=1200,800"])
            .args(["--virtual-time-budget=20000", "--disable-dev-shm-usage"])
            .arg(format!("--user-data-dir={}", home.path().display()))
            .arg(format!("file://{}#{place}", page.display()))
            .output()
            .unwrap();
        let dom = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            dom.contains("data-ready=\"1\""),
            "the script did not finish:\n{}\n{}",
            &dom[..dom.len().min(2000)],
            String::from_utf8_lossy(&output.stderr)
        );
        Shown(dom)
    }

    fn says(&self, name: &str) -> &str {
        let mark = format!("data-{name}=\"");
        let from = self.0.find(&mark).unwrap_or_else(|| panic!("no data-{name}")) + mark.len();
        self.0[from..].split('"').next().unwrap()
    }

    fn number(&self, name: &str) -> i64 {
        self.says(name).parse().unwrap()
    }
}

const STALE: &str = r#"{"process":0,"f":"put","key":"x","value":"</script><b>","call":1,"return":2}
{"process":1,"f":"put","key":"x","value":"two","call":3,"return":4}
{"process":0,"f":"get","key":"x","result":"</script><b>","call":5,"return":6}
{"process":2,"f":"put","key":"y","value":"never","call":7,"return":null}
{"process":0,"f":"get","key":"y","result":"never","call":8,"return":9}
"#;

#[test]
fn a_page_stands_by_itself() {
    let directory = tempfile::tempdir().unwrap();
    let page = page(directory.path(), STALE, &["--as", "kv"]);
    let text = std::fs::read_to_string(page).unwrap();
    assert!(!text.contains("http://") && !text.contains("https://") && !text.contains(" src="));
    assert!(!text.contains("</script><b>"), "a value ends the script");
    assert!(text.contains("\\u003c/script>"));
}

#[test]
fn a_browser_draws_it() {
    let Some(browser) = browser() else { return };
    let directory = tempfile::tempdir().unwrap();
    let page = page(directory.path(), STALE, &["--as", "kv", "--minimise"]);
    let shown = Shown::new(&browser, &page, "");
    assert_eq!(shown.says("tabs"), "2");
    assert_eq!(shown.says("verdict"), "violated");
    assert_eq!((shown.number("drawn"), shown.number("total")), (3, 3));
    assert!(shown.0.contains("is not possible when the state is"), "{}", shown.0);
    let second = Shown::new(&browser, &page, "tab=1");
    assert_eq!(second.number("total"), 2);
}

#[test]
fn only_the_visible_part_is_drawn() {
    let Some(browser) = browser() else { return };
    let directory = tempfile::tempdir().unwrap();
    let mut log = String::new();
    for i in 0..100_000 {
        let (client, t) = (i % 8, i * 10);
        let f = if i % 2 == 0 {
            format!("\"enq\",\"value\":{i}")
        } else {
            format!("\"deq\",\"result\":{}", i - 1)
        };
        log += &format!("{{\"process\":{client},\"f\":{f},\"call\":{t},\"return\":{}}}\n", t + 25);
    }
    let page = page(directory.path(), &log, &["--as", "queue"]);
    let far = Shown::new(&browser, &page, "");
    assert_eq!(far.number("total"), 100_000);
    assert!(far.number("drawn") <= 8 * 1200, "{}", far.number("drawn"));
    let near = Shown::new(&browser, &page, "view=1000,1100");
    assert!((40..=120).contains(&near.number("drawn")), "{}", near.number("drawn"));
    assert_eq!((near.number("from"), near.number("to")), (1000, 1100));
}
