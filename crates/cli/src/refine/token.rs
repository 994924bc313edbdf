//! Replay tokens: which model, which assertion, which moves.

/// `R1-<model>-<assertion>-<moves>`.
pub struct Token {
    model: u32,
    assertion: usize,
}

impl Token {
    pub fn new(text: &str, assertion: usize) -> Self {
        Token { model: fingerprint(text), assertion }
    }

    pub fn show(&self, run: &[usize]) -> String {
        let moves: Vec<String> = run.iter().map(usize::to_string).collect();
        format!("R1-{:08x}-{}-{}", self.model, self.assertion + 1, moves.join("."))
    }

    /// The assertion and the moves, if the token belongs to this text.
    pub fn read(token: &str, text: &str) -> Result<(usize, Vec<usize>), String> {
        let strange = || "this is no token of `lineal refine`".to_string();
        let parts: Vec<&str> = token.split('-').collect();
        let ["R1", model, assertion, moves] = parts[..] else { return Err(strange()) };
        if u32::from_str_radix(model, 16) != Ok(fingerprint(text)) {
            return Err("the token belongs to another model".into());
        }
        let assertion: usize = assertion.parse().ok().filter(|n| *n > 0).ok_or_else(strange)?;
        let moves: Result<Vec<usize>, _> = moves.split('.').map(str::parse).collect();
        Ok((assertion - 1, moves.map_err(|_| strange())?))
    }
}

/// FNV-1a.
fn fingerprint(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_back_for_their_own_model_only() {
        let token = Token::new("a model", 2).show(&[0, 12, 3]);
        assert_eq!(Token::read(&token, "a model"), Ok((2, vec![0, 12, 3])));
        assert!(Token::read(&token, "another").is_err());
        assert!(Token::read("R1-x", "a model").is_err());
        assert!(Token::read("R1-00000000-0-", "a model").is_err());
    }
}
