//! Replay tokens: which model, which assertion, which moves.

/// `R1-<model>-<assertion>-<moves>`, and with `~` before the moves that are repeated for ever.
pub struct Token {
    model: u32,
    assertion: usize,
}

impl Token {
    pub fn new(text: &str, assertion: usize) -> Self {
        Token { model: fingerprint(text), assertion }
    }

    pub fn show(&self, run: &[usize], repeats: Option<usize>) -> String {
        let moves = |run: &[usize]| run.iter().map(usize::to_string).collect::<Vec<_>>().join(".");
        let moves = match repeats {
            None => moves(run),
            Some(at) => format!("{}~{}", moves(&run[..at]), moves(&run[at..])),
        };
        format!("R1-{:08x}-{}-{moves}", self.model, self.assertion + 1)
    }

    /// The assertion, the moves and from which on they are repeated, if the token belongs to this text.
    pub fn read(token: &str, text: &str) -> Result<(usize, Vec<usize>, Option<usize>), String> {
        let strange = || "this is no token of `lineal refine`".to_string();
        let parts: Vec<&str> = token.split('-').collect();
        let ["R1", model, assertion, moves] = parts[..] else { return Err(strange()) };
        if u32::from_str_radix(model, 16) != Ok(fingerprint(text)) {
            return Err("the token belongs to another model".into());
        }
        let assertion: usize = assertion.parse().ok().filter(|n| *n > 0).ok_or_else(strange)?;
        let read = |moves: &str| -> Result<Vec<usize>, String> {
            moves.split('.').filter(|_| !moves.is_empty()).map(|n| n.parse().map_err(|_| strange())).collect()
        };
        Ok(match moves.split_once('~') {
            None => (assertion - 1, read(moves)?, None),
            Some((prefix, cycle)) => {
                let (prefix, cycle) = (read(prefix)?, read(cycle)?);
                (assertion - 1, [&prefix[..], &cycle[..]].concat(), Some(prefix.len()))
            }
        })
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
        for repeats in [None, Some(0), Some(2)] {
            let token = Token::new("a model", 2).show(&[0, 12, 3], repeats);
            assert_eq!(Token::read(&token, "a model"), Ok((2, vec![0, 12, 3], repeats)));
        }
        let token = Token::new("a model", 2).show(&[], None);
        assert_eq!(Token::read(&token, "a model"), Ok((2, vec![], None)));
        assert!(Token::read(&token, "another").is_err());
        assert!(Token::read("R1-x", "a model").is_err());
        assert!(Token::read("R1-00000000-0-", "a model").is_err());
    }
}
