//! Exercises on tables, counts and the three roles.

mod counts;
mod extra_key;
mod same_mixture;

pub(super) use counts::{COUNTS, Counts};
pub(super) use extra_key::{EXTRA_KEY, ExtraKey};
pub(super) use same_mixture::{QueryAndValueMaps, SAME_MIXTURE};

const NOTEBOOK: &str = "uk/3-tablytsi.ipynb";
