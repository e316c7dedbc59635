//! Words in the languages of the notebooks.

/// The language of a notebook and of what an exercise says in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Lithuanian.
    Lt,
    /// Ukrainian.
    Uk,
    /// English.
    En,
}

impl Language {
    /// Every language, in the order in which texts are written down.
    pub const ALL: [Self; 3] = [Self::Lt, Self::Uk, Self::En];
}

/// The same words in each language: Lithuanian, Ukrainian, English.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Text(pub &'static str, pub &'static str, pub &'static str);

impl Text {
    /// The same in every language: code and formulas.
    pub const fn code(text: &'static str) -> Self {
        Self(text, text, text)
    }

    /// The words in `language`.
    pub fn in_language(&self, language: Language) -> &'static str {
        match language {
            Language::Lt => self.0,
            Language::Uk => self.1,
            Language::En => self.2,
        }
    }
}
