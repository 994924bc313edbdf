//! Stands where the C front-end and the engines will: refuses, and says why.

pub mod c11 {
    use lineal_model::Diagnostic;

    pub struct Unit {
        pub name: String,
        pub text: String,
    }
    pub struct Options {
        pub wrapv: bool,
        pub nondet: Option<(i64, i64)>,
    }
    /// No program can be loaded yet, so there is none.
    pub enum Machine {}

    pub fn headers() -> &'static [(&'static str, &'static str)] {
        &[]
    }
    pub fn load(units: &[Unit], options: &Options) -> Result<Machine, Vec<Diagnostic>> {
        let lines: usize = units.iter().map(|u| u.text.lines().count()).sum();
        let names: Vec<&str> = units.iter().map(|u| &*u.name).collect();
        Err(vec![
            Diagnostic::error("L0099", "this build has no C front-end")
                .note(format!("{} preprocessed lines of {}", lines, names.join(", ")), None)
                .note(format!("wrapv {}, nondet {:?}", options.wrapv, options.nondet), None),
        ])
    }
}
