//! JSON text as Go writes it, member by member. Objects are written with their members in
//! alphabetical order, because the node decodes and encodes every trace again.

use revm::primitives::{hex, Address, B256, U256};

#[derive(Default)]
pub struct Json(pub Vec<u8>);

impl Json {
    pub fn raw(&mut self, text: &str) -> &mut Self {
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    /// `,` unless it is the first of its list; says so for the next.
    pub fn comma(&mut self, is_first: &mut bool) -> &mut Self {
        if !core::mem::replace(is_first, false) {
            self.0.push(b',');
        }
        self
    }

    pub fn number(&mut self, value: u64) -> &mut Self {
        self.raw(&value.to_string())
    }

    /// A string with Go's escapes.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.0.push(b'"');
        for c in text.chars() {
            match c {
                '"' => self.raw("\\\""),
                '\\' => self.raw("\\\\"),
                '\n' => self.raw("\\n"),
                '\r' => self.raw("\\r"),
                '\t' => self.raw("\\t"),
                '\u{8}' => self.raw("\\b"),
                '\u{c}' => self.raw("\\f"),
                '\0'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                    self.raw(&format!("\\u{:04x}", c as u32))
                }
                _ => self.raw(c.encode_utf8(&mut [0; 4])),
            };
        }
        self.0.push(b'"');
        self
    }

    fn digits(&mut self, bytes: &[u8]) {
        let start = self.0.len();
        self.0.resize(start + 2 * bytes.len(), 0);
        // The slice is twice as long as the bytes, so encoding cannot fail.
        let _ = hex::encode_to_slice(bytes, &mut self.0[start..]);
    }

    /// `"0x…"` with two digits for each byte.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.raw("\"0x").digits(bytes);
        self.raw("\"")
    }

    /// `"…"` with two digits for each byte and no prefix.
    pub fn bare(&mut self, bytes: &[u8]) -> &mut Self {
        self.raw("\"").digits(bytes);
        self.raw("\"")
    }

    pub fn address(&mut self, address: Address) -> &mut Self {
        self.bytes(address.as_slice())
    }

    pub fn word(&mut self, word: U256) -> &mut Self {
        self.bytes(B256::from(word).as_slice())
    }

    /// `"0x…"` without leading zeros.
    pub fn quantity(&mut self, value: U256) -> &mut Self {
        let bytes = value.to_be_bytes::<32>();
        let mut digits = [0; 64];
        let _ = hex::encode_to_slice(bytes, &mut digits);
        let first = digits.iter().position(|digit| *digit != b'0').unwrap_or(63);
        self.raw("\"0x");
        self.0.extend_from_slice(&digits[first..]);
        self.raw("\"")
    }

    pub fn quantity64(&mut self, value: u64) -> &mut Self {
        self.quantity(U256::from(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl Fn(&mut Json) -> &mut Json) -> String {
        let mut json = Json::default();
        write(&mut json);
        String::from_utf8(json.0).unwrap_or_default()
    }

    #[test]
    fn writes_texts_and_numbers_as_go_does() {
        assert_eq!(written(|json| json.text("a\"<\u{1}\u{2028}é")), "\"a\\\"\\u003c\\u0001\\u2028é\"");
        assert_eq!(written(|json| json.quantity64(0)), "\"0x0\"");
        assert_eq!(written(|json| json.quantity64(256)), "\"0x100\"");
        assert_eq!(written(|json| json.bytes(&[])), "\"0x\"");
        assert_eq!(written(|json| json.bare(&[1, 255])), "\"01ff\"");
    }
}
