//! How a value is shown in a notebook, and how text is made safe to stand in a document.

/// Hands a value to the kernel: one block of HTML and one of plain text, which is all that a cell shows.
pub(crate) fn show(html: &str, plain: &str) {
    for (kind, content) in [("text/html", html), ("text/plain", plain)] {
        println!("EVCXR_BEGIN_CONTENT {kind}\n{content}\nEVCXR_END_CONTENT");
    }
}

/// `text` without the control characters that no XML document may hold, on one line.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c })
        .filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}'))
        .collect()
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
