//! Exercises on the first mixture.

mod row;
mod scale;

pub(super) use row::{ROW, RowMixture};
pub(super) use scale::{SCALE, Sharpening};

const NOTEBOOK: &str = "uk/1-sumish.ipynb";
