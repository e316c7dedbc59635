//! What figures of vectors have in common: names of the vectors and of their coordinates, and how numbers are rounded.

use ndarray::ArrayView1;

use super::ticks::{decimals_for, rounded};
use super::words::{join, name_of, one_for_each, strings};
use super::{Figure, check_decimals};

/// A kind of figure that draws vectors, which may have names, with coordinates, which may have names too.
pub trait Labelled {
    /// Where the figure keeps its names.
    fn labels(&mut self) -> &mut Labels;
}

/// The names in a figure of vectors.
#[derive(Clone, Debug)]
pub struct Labels {
    names: Vec<String>,
    /// How many names there may be, and of what.
    named: (usize, &'static str),
    coordinates: Vec<String>,
    width: usize,
    decimals: Option<usize>,
}

impl<K: Labelled> Figure<K> {
    /// A name for each vector of the figure: for each row of a matrix, or for each term of a mixture. Where a figure
    /// begins with a vector of its own, that one's name comes first.
    ///
    /// # Panics
    /// If their number is not that of the vectors.
    #[track_caller]
    pub fn names<T: AsRef<str>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        let labels = self.kind.labels();
        labels.names = one_for_each(strings(names), "names", labels.named.0, labels.named.1);
        self
    }

    /// A name for each coordinate of the vectors.
    ///
    /// # Panics
    /// If their number is not that of the coordinates.
    #[track_caller]
    pub fn coordinates<T: AsRef<str>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        let labels = self.kind.labels();
        labels.coordinates = one_for_each(strings(names), "names", labels.width, "coordinates");
        self
    }

    /// Decimals of all numbers, instead of as many of up to two as they need.
    ///
    /// # Panics
    /// If there are more than 10.
    #[track_caller]
    pub fn decimals(mut self, decimals: usize) -> Self {
        check_decimals(decimals);
        self.kind.labels().decimals = Some(decimals);
        self
    }
}

impl Labels {
    pub(super) fn new(named: (usize, &'static str), width: usize) -> Self {
        Self { names: Vec::new(), named, coordinates: Vec::new(), width, decimals: None }
    }

    /// The name of a vector, or its number.
    pub(super) fn name(&self, index: usize) -> String {
        name_of(&self.names, index)
    }

    /// The names that the caller has given.
    pub(super) fn given(&self) -> &[String] {
        &self.names
    }

    /// The name of a coordinate, or its number.
    pub(super) fn coordinate(&self, index: usize) -> String {
        name_of(&self.coordinates, index)
    }

    /// What each coordinate is called.
    pub(super) fn all_coordinates(&self) -> Vec<String> {
        (0..self.width).map(|index| self.coordinate(index)).collect()
    }

    /// The decimals asked for, or as many as `values` need.
    pub(super) fn decimals_for<'a>(&self, values: impl IntoIterator<Item = &'a f64>) -> usize {
        self.decimals.unwrap_or_else(|| decimals_for(values))
    }

    /// The coordinates' names where they have some, for the beginning of an alternative text.
    pub(super) fn told(&self) -> String {
        if self.coordinates.is_empty() { String::new() } else { format!("({}): ", self.coordinates.join(", ")) }
    }
}

/// A vector as an alternative text tells it.
pub(super) fn list(vector: ArrayView1<f64>, decimals: usize) -> String {
    format!("[{}]", join(vector.iter().map(|&value| rounded(value, decimals)), ", "))
}
