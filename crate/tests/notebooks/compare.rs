//! Says whether a cell shows what is committed, and where the first difference lies.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use nbformat::v4::Output;
use serde_json::Value;

use crate::kernel::stream_text;

/// One comparable piece of a cell's outputs.
#[derive(Debug, Clone, PartialEq)]
struct Piece {
    /// Which output it is and of what kind, as "output 1, execute_result text/html".
    label: String,
    text: String,
}

/// The first difference between committed and new outputs.
///
/// What a new run changes in form is no difference: how a stream was cut into chunks, where the chunks stood between
/// other outputs, its newline at the end, and execution counts. With `only_kinds`, texts are not compared.
pub fn difference(committed: &[Output], new: &[Output], only_kinds: bool) -> Option<String> {
    let (committed, new) = (pieces(committed), pieces(new));
    for piece in &new {
        if !committed.iter().any(|old| old.label == piece.label) {
            return Some(format!("{} appeared, which is not in the file: {}", piece.label, short(&piece.text)));
        }
    }
    for old in &committed {
        let Some(piece) = new.iter().find(|piece| piece.label == old.label) else {
            return Some(format!("{} disappeared, which is in the file: {}", old.label, short(&old.text)));
        };
        if !only_kinds && piece.text != old.text {
            return Some(format!("{} changed: {}", old.label, first_difference(&old.text, &piece.text)));
        }
    }
    None
}

fn pieces(outputs: &[Output]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for name in ["stdout", "stderr"] {
        let text: String = outputs.iter().filter_map(|output| stream_text(output, name)).collect();
        if !text.is_empty() {
            let text = text.strip_suffix('\n').unwrap_or(&text).to_owned();
            pieces.push(Piece { label: name.into(), text });
        }
    }
    let mut number = 0;
    for output in outputs {
        let (kind, data, metadata) = match output {
            Output::Stream { .. } => continue,
            Output::Error(error) => {
                number += 1;
                let text = format!("{}: {}\n{}", error.ename, error.evalue, error.traceback.join("\n"));
                pieces.push(Piece { label: format!("output {number}, error"), text });
                continue;
            }
            Output::DisplayData(shown) => ("display_data", &shown.data, &shown.metadata),
            Output::ExecuteResult(result) => ("execute_result", &result.data, &result.metadata),
        };
        number += 1;
        let bundle = serde_json::to_value(data).expect("a MIME bundle is plain data");
        let mut entries: Vec<(&String, &Value)> = bundle.as_object().into_iter().flatten().collect();
        entries.sort_by_key(|(mime, _)| *mime);
        for (mime, value) in entries {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            pieces.push(Piece { label: format!("output {number}, {kind} {mime}"), text });
        }
        if !metadata.is_empty() {
            let text = Value::Object(metadata.clone()).to_string();
            pieces.push(Piece { label: format!("output {number}, {kind} metadata"), text });
        }
    }
    pieces
}

/// Where two different texts part, with what stands there in both.
fn first_difference(old: &str, new: &str) -> String {
    if let (Some(old), Some(new)) = (embedded_at_difference(old, new), embedded_at_difference(new, old))
        && old != new
    {
        return format!("in the embedded picture, {}", first_difference(&old, &new));
    }
    let at = parting(old, new);
    let line = old[..at].matches('\n').count() + 1;
    format!("at line {line}, byte {at}\n  in the file: {}\n  now:         {}", excerpt(old, at), excerpt(new, at))
}

/// The first byte where the texts differ, moved back to where a character starts in both.
fn parting(old: &str, new: &str) -> usize {
    let mut at = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    while !(old.is_char_boundary(at) && new.is_char_boundary(at)) {
        at -= 1;
    }
    at
}

/// The decoded text of the base64 `data:` URI that holds the first difference: encoded, it would tell nobody anything.
fn embedded_at_difference(text: &str, other: &str) -> Option<String> {
    let at = parting(text, other);
    let marker = ";base64,";
    let start = text[..at].rfind(marker)? + marker.len();
    let is_code = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
    if !text[start..at].chars().all(is_code) {
        return None;
    }
    let end = text[start..].find(|c| !is_code(c)).map_or(text.len(), |length| start + length);
    String::from_utf8(STANDARD.decode(&text[start..end]).ok()?).ok()
}

/// Some characters around a place, with what is left out marked.
fn excerpt(text: &str, at: usize) -> String {
    let start = text[..at].char_indices().rev().nth(29).map_or(0, |(index, _)| index);
    let end = text[at..].char_indices().nth(50).map_or(text.len(), |(index, _)| at + index);
    let before = if start > 0 { "…" } else { "" };
    let after = if end < text.len() { "…" } else { "" };
    let shown = if at == text.len() { "(the end)" } else { "" };
    format!("{before}{}{shown}{after}", text[start..end].escape_debug())
}

fn short(text: &str) -> String {
    excerpt(text, 0)
}
