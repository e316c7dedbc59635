//! `show_table`: a small table of numbers and words.

use ndarray::{ArrayBase, Data, Ix2};

use super::check_decimals;
use super::ticks::{decimals_for, rounded};
use super::words::{join, strings};
use crate::display::{escape, printable, show};

/// A table; [`show_table`] makes it.
#[derive(Clone, Debug)]
pub struct Table {
    header: Vec<String>,
    rows: Vec<(String, Vec<Entry>)>,
    decimals: Option<usize>,
}

/// What a table holds in one place: words, a whole number or a number that is rounded. Everything that
/// [`row`](Table::row) takes turns into one.
#[derive(Clone, Debug)]
pub struct Entry(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Words(String),
    Whole(i128),
    Number(f64),
}

/// Begins a table with the names of its columns; the first is that of the rows' names.
///
/// Rows follow with [`row`](Table::row) and [`rows`](Table::rows). Numbers stand to the right and have as many decimals as
/// their column needs, up to two, or as many as [`decimals`](Table::decimals) says; whole numbers have all their digits.
///
/// # Panics
/// If there is no column.
///
/// ```
/// use d2l::prelude::*;
///
/// let table = show_table(["token", "score", "weight"]).row("the", [0.2, 0.256]).row("river", [0.54, 0.311]);
/// assert_eq!(table.text(), "token  score  weight\nthe     0.20    0.26\nriver   0.54    0.31");
/// ```
#[track_caller]
pub fn show_table<T: AsRef<str>>(header: impl IntoIterator<Item = T>) -> Table {
    let header = strings(header);
    assert!(!header.is_empty(), "a table needs at least one column");
    Table { header, rows: Vec::new(), decimals: None }
}

impl Table {
    /// One more row: its name, then numbers or words for the other columns.
    ///
    /// # Panics
    /// If their number is not that of the columns after the first.
    #[track_caller]
    pub fn row<E: Into<Entry>>(mut self, name: &str, entries: impl IntoIterator<Item = E>) -> Self {
        self.add(name.to_owned(), entries.into_iter().map(Into::into).collect());
        self
    }

    /// A row for each row of `matrix`, with its name.
    ///
    /// # Panics
    /// If there is not one name for each row, or if the matrix has not as many columns as the table after its first.
    #[track_caller]
    pub fn rows<T, S>(mut self, names: impl IntoIterator<Item = T>, matrix: &ArrayBase<S, Ix2>) -> Self
    where
        T: AsRef<str>,
        S: Data<Elem: Copy + Into<f64>>,
    {
        let names = super::words::one_for_each(strings(names), "names", matrix.nrows(), "rows");
        for (name, row) in names.into_iter().zip(matrix.outer_iter()) {
            self.add(name, row.iter().map(|&value| Entry(Kind::Number(value.into()))).collect());
        }
        self
    }

    #[track_caller]
    fn add(&mut self, name: String, entries: Vec<Entry>) {
        let (given, wanted) = (entries.len(), self.header.len() - 1);
        assert!(given == wanted, "a row of this table has a name and {wanted} entries, not {given}");
        self.rows.push((name, entries));
    }

    /// Decimals of all numbers that are not whole by their type.
    ///
    /// # Panics
    /// If there are more than 10.
    #[track_caller]
    pub fn decimals(mut self, decimals: usize) -> Self {
        check_decimals(decimals);
        self.decimals = Some(decimals);
        self
    }

    /// Every entry as it is written, row by row.
    fn written(&self) -> Vec<Vec<String>> {
        let decimals: Vec<usize> = (0..self.header.len() - 1)
            .map(|column| {
                let numbers = self.rows.iter().filter_map(|(_, entries)| match &entries[column].0 {
                    Kind::Number(value) => Some(value),
                    _ => None,
                });
                self.decimals.unwrap_or_else(|| decimals_for(numbers))
            })
            .collect();
        let rows = self.rows.iter().map(|(_, entries)| {
            let entries = entries.iter().zip(&decimals).map(|(entry, &decimals)| match &entry.0 {
                Kind::Words(words) => printable(words),
                Kind::Whole(value) => value.to_string().replace('-', "−"),
                Kind::Number(value) => rounded(*value, decimals),
            });
            entries.collect()
        });
        rows.collect()
    }

    /// Whether a column holds words: they stand to the left, numbers to the right.
    fn holds_words(&self, column: usize) -> bool {
        self.rows.iter().any(|(_, entries)| matches!(entries[column].0, Kind::Words(_)))
    }

    /// The table as lines of text with aligned columns.
    pub fn text(&self) -> String {
        let mut lines = vec![self.header.iter().map(|name| printable(name)).collect::<Vec<_>>()];
        for ((name, _), entries) in self.rows.iter().zip(self.written()) {
            lines.push(std::iter::once(printable(name)).chain(entries).collect());
        }
        let columns = 0..self.header.len();
        let longest: Vec<usize> =
            columns.map(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0)).collect();
        let lines = lines.iter().map(|line| {
            let words = line.iter().enumerate().map(|(column, word)| {
                let room = longest[column];
                if column == 0 || self.holds_words(column - 1) {
                    format!("{word:<room$}")
                } else {
                    format!("{word:>room$}")
                }
            });
            join(words, "  ").trim_end().to_owned()
        });
        join(lines, "\n")
    }

    /// The table as HTML.
    pub fn html(&self) -> String {
        let side = |column: usize| if column == 0 || self.holds_words(column - 1) { "left" } else { "right" };
        let cell = |tag: &str, column: usize, words: &str| {
            let name = &tag[..2];
            format!("<{tag} style=\"text-align:{}\">{}</{name}>", side(column), escape(words))
        };
        let header = self.header.iter().enumerate().map(|(column, name)| cell("th scope=\"col\"", column, name));
        let rows = self.rows.iter().zip(self.written()).map(|((name, _), entries)| {
            let entries = entries.iter().enumerate().map(|(column, words)| cell("td", column + 1, words));
            format!("<tr>{}{}</tr>", cell("th scope=\"row\"", 0, name), entries.collect::<String>())
        });
        format!(
            "<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>",
            header.collect::<String>(),
            rows.collect::<String>()
        )
    }

    /// Shows the table in a notebook: the kernel calls this on a cell's last value.
    pub fn evcxr_display(&self) {
        show(&self.html(), &self.text());
    }
}

macro_rules! entries {
    ($($given:ty => $make:expr),*) => {
        $(impl From<$given> for Entry {
            fn from(value: $given) -> Self {
                Self($make(value))
            }
        })*
    };
}

entries! {
    &str => |words: &str| Kind::Words(words.to_owned()),
    String => Kind::Words,
    f64 => Kind::Number,
    f32 => |value| Kind::Number(f64::from(value)),
    &f64 => |value: &f64| Kind::Number(*value),
    i32 => |value| Kind::Whole(i128::from(value)),
    usize => |value| Kind::Whole(value as i128)
}
