//! Exercises on the query and its space.

mod ignored;
mod left_over;
mod map;
mod twins;

pub(super) use ignored::{Directions, IGNORED};
pub(super) use left_over::{LEFT_OVER, LeftOver};
pub(super) use map::{MAP, QueryMap};
pub(super) use twins::{TWINS, Twins};

const NOTEBOOK: &str = "uk/2-zapyt.ipynb";
