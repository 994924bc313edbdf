//! Models as they are found: in UTF-8 with or without a mark, in UTF-16, or in some older encoding,
//! which matters in comments only.

use std::path::Path;

pub fn read(file: &Path) -> std::io::Result<String> {
    std::fs::read(file).map(|bytes| decode(&bytes))
}

/// UTF-16 is known by its mark. What is no UTF-8 is taken byte by byte: letters beyond ASCII may come
/// out as others, but places, and everything the language itself is written in, stay.
fn decode(bytes: &[u8]) -> String {
    let units = |pair: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|c| pair([c[0], c[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xff, 0xfe, ..] => units(u16::from_le_bytes),
        [0xfe, 0xff, ..] => units(u16::from_be_bytes),
        _ => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            match std::str::from_utf8(bytes) {
                Ok(text) => text.to_string(),
                Err(_) => bytes.iter().map(|b| char::from(*b)).collect(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_gives_the_same_program() {
        let text = "P() = a -> Stop; // naïve";
        assert_eq!(decode(text.as_bytes()), text);
        assert_eq!(decode(&[b"\xef\xbb\xbf", text.as_bytes()].concat()), text);
        let latin: Vec<u8> = text.chars().map(|c| u32::from(c) as u8).collect();
        assert_eq!(decode(&latin), text);
        let units = || text.encode_utf16();
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&[b"\xff\xfe", &little[..]].concat()), text);
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        assert_eq!(decode(&[b"\xfe\xff", &big[..]].concat()), text);
    }
}
