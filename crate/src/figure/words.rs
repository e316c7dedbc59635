//! Text of the caller's: how much room it needs, and how it is cut to the room there is.

use super::canvas::SMALL;

/// Guesses at a character's width relative to the font size, of letters and of emoji and ideographs: margins need one,
/// glyphs are never placed by it.
const CHARACTER: f64 = 0.62;
const WIDE_CHARACTER: f64 = 1.3;

fn character_width(c: char) -> f64 {
    // Ideographs, kana and Hangul, and everything beyond the first plane, where emoji are.
    if matches!(c, '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..) {
        WIDE_CHARACTER
    } else {
        CHARACTER
    }
}

/// Room that `text` needs, in pixels: a guess that is rather too much than too little.
pub(super) fn width_of(text: &str, size: f64) -> f64 {
    text.chars().map(character_width).sum::<f64>() * size
}

/// `text`, cut to end in an ellipsis where it would need more than `room` pixels.
pub(super) fn fitted(text: &str, size: f64, room: f64) -> String {
    if width_of(text, size) <= room {
        return text.to_owned();
    }
    let mut left = room - width_of("…", size);
    let mut kept = String::new();
    for c in text.chars() {
        left -= character_width(c) * size;
        if left < 0.0 {
            break;
        }
        kept.push(c);
    }
    kept + "…"
}

/// The caller's words as they are kept.
pub(super) fn strings<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Vec<String> {
    texts.into_iter().map(|text| text.as_ref().to_owned()).collect()
}

/// `given`, which the caller calls `names`, where there is one for each of `count` things called `of`.
#[track_caller]
pub(super) fn one_for_each(given: Vec<String>, names: &str, count: usize, of: &str) -> Vec<String> {
    let number = given.len();
    assert!(number == count, "the number of {names} is {number}, but that of {of} is {count}: give one for each");
    given
}

/// The words with `between` between them. A plain loop, as in [`largest`]: adapters that collect are compiled anew for
/// every closure before them.
pub(super) fn join(words: impl IntoIterator<Item = String>, between: &str) -> String {
    let mut list = Vec::new();
    for word in words {
        list.push(word);
    }
    list.join(between)
}

/// The largest of some lengths, or 0.
pub(super) fn largest(lengths: impl IntoIterator<Item = f64>) -> f64 {
    let mut largest = 0.0f64;
    for length in lengths {
        largest = largest.max(length);
    }
    largest
}

/// What the thing at `index` is called: its name, or its number where there are no names.
pub(super) fn name_of(names: &[String], index: usize) -> String {
    names.get(index).cloned().unwrap_or_else(|| index.to_string())
}

/// `text` as a tick's label: about 24 letters.
pub(super) fn shortened(text: &str) -> String {
    fitted(text, SMALL, 24.0 * CHARACTER * SMALL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_to_its_room() {
        assert_eq!(fitted("žymė", 10.0, 100.0), "žymė");
        for text in ["užklausos ".repeat(20), "🦀".repeat(200)] {
            let cut = fitted(&text, 10.0, 100.0);
            assert!(cut.ends_with('…') && width_of(&cut, 10.0) <= 100.0, "{cut}");
        }
        assert_eq!(fitted("raktai", 10.0, 1.0), "…");
        assert_eq!(shortened(&"x".repeat(24)), "x".repeat(24));
    }
}
