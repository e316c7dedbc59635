//! How a value is shown in a notebook, and how text is made safe to stand in a document.

/// Hands a value to the kernel: one block of HTML and one of plain text, which is all that a cell shows.
pub(crate) fn show(html: &str, plain: &str) {
    for (kind, content) in [("text/html", html), ("text/plain", plain)] {
        println!("EVCXR_BEGIN_CONTENT {kind}\n{content}\nEVCXR_END_CONTENT");
    }
}

/// `text` on one line, without the control characters that no XML document may hold or that turn words around.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || is_break(c) || is_bidirectional_control(c) { ' ' } else { c })
        .filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}'))
        .collect()
}

fn is_break(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// Unicode's property Bidi_Control: marks, embeddings, overrides and isolates.
fn is_bidirectional_control(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `text` ready to stand in XML or HTML, between tags or inside quotes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_become_spaces_and_markup_stays_text() {
        assert_eq!(printable("a\u{202e}b\u{2066}c\n"), "a b c ");
        assert_eq!(escape("<b title=\"'&\">"), "&lt;b title=&quot;&#39;&amp;&quot;&gt;");
    }
}
