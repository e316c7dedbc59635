//! What of a cell is words: no code, formulas, addresses or tags.

/// Pairs of marks between which Markdown holds no words, longer ones first.
const MARKS: [(&str, &str); 7] =
    [("```", "```"), ("$$", "$$"), ("`", "`"), ("$", "$"), ("](", ")"), ("<http", ">"), ("<", ">")];

/// Markdown without its code, formulas, addresses and tags.
pub fn markdown(source: &str) -> String {
    let (mut words, mut rest) = (String::new(), source);
    while let Some((start, (open, close))) = first(rest) {
        words += &rest[..start];
        words.push(' ');
        let inside = &rest[start + open.len()..];
        rest = inside.find(close).map_or("", |end| &inside[end + close.len()..]);
        if let Some(ending) = rest.strip_prefix('-') {
            // The ending of an ordinal, as in `$i$-oji`, is no word.
            rest = ending.trim_start_matches(char::is_alphabetic);
        }
    }
    words + rest
}

/// The first pair of marks that opens in `text`, and where.
fn first(text: &str) -> Option<(usize, (&'static str, &'static str))> {
    text.char_indices().find_map(|(start, _)| {
        let here = |marks: &&(&str, &str)| text[start..].starts_with(marks.0);
        MARKS.iter().find(here).map(|marks| (start, *marks))
    })
}

/// The comments of a cell's code and the strings in it that are sentences or have letters beyond English.
pub fn code(source: &str) -> String {
    let mut words = String::new();
    for line in source.lines() {
        let mut pieces = line.split('"');
        let mut outside = pieces.next().unwrap_or_default();
        while let (false, Some(inside)) = (outside.contains("//"), pieces.next()) {
            if inside.contains(|c: char| c.is_alphabetic() && !c.is_ascii()) {
                words += &without_places(inside);
                words.push(' ');
            }
            outside = pieces.next().unwrap_or_default();
        }
        if let Some((_, comment)) = outside.split_once("//") {
            words += &markdown(comment);
            words.push(' ');
        }
    }
    words
}

/// A format string without its `{places}` and `\n`.
fn without_places(text: &str) -> String {
    let mut pieces = text.split('{');
    let first = pieces.next().unwrap_or_default().to_owned();
    let words = pieces.fold(first, |words, piece| words + " " + piece.split_once('}').map_or("", |(_, rest)| rest));
    words.replace("\\n", " ")
}

/// Runs of letters, with hyphens and apostrophes inside them.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let runs = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '_' | '^')));
    let words = runs.map(|run| run.trim_matches(['\'', '’', '-', '_']));
    // One letter alone, or with the ending of an ordinal after it, is a quantity.
    let quantity = |word: &str| word.chars().nth(1).is_none_or(|second| second == '-');
    words
        .filter(move |word| !quantity(word) && word.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-')))
}

/// Whether a word is one of the language's, in whole or in part: a Ukrainian one has Cyrillic letters.
pub fn is_of(language: &str, word: &str) -> bool {
    let cyrillic = word.contains(|c| matches!(c, '\u{400}'..='\u{4ff}'));
    let greek_or_mark =
        word.contains(|c| matches!(c, '\u{370}'..='\u{3ff}' | '\u{2070}'..='\u{209f}' | '\u{1d00}'..='\u{1dff}'));
    cyrillic == (language == "uk") && !greek_or_mark
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<&str> {
        words(text).collect()
    }

    #[test]
    fn markdown_loses_all_but_its_words() {
        let text = markdown(
            "## Увага $a_{ij}$ є $i$-та `x.dot(&w)` [зошитом](2-zapyt.ipynb)<br>\n```\nfn f()\n```\n$$s = q$$ кінець",
        );
        assert_eq!(of(&text), ["Увага", "зошитом", "кінець"]);
    }

    #[test]
    fn code_keeps_comments_and_sentences() {
        let cell = "println!(\"запит {query:.2}\\nоцінки\", \"Reds\"); // змініть мене: `x`\nlet a = 1;";
        assert_eq!(of(&code(cell)), ["запит", "оцінки", "змініть", "мене"]);
    }

    #[test]
    fn a_letter_of_another_alphabet_does_not_hide_a_word() {
        // The second letter is the Latin a.
        assert!(is_of("uk", "вaга") && !is_of("uk", "head") && is_of("lt", "head") && !is_of("lt", "αᵢ"));
        assert_eq!(of("з'єднання нуль-простір 2а d_k i-oji"), ["з'єднання", "нуль-простір"]);
    }
}
