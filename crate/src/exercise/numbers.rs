//! What the checks share: finite differences, agreement within a tolerance, and arrays as a verdict shows them.

use ndarray::{Array, Array1, Array2, ArrayRef, Axis, Dimension};

use super::entry::Counterexample;

/// Right answers agree with central differences of step 1e-5 to this.
const TOLERANCE: f64 = 1e-7;
const STEP: f64 = 1e-5;

/// Finite differences: column j is the derivative of `output` by coordinate j.
pub(super) fn differences(at: &Array1<f64>, output: impl Fn(&Array1<f64>) -> Array1<f64>) -> Array2<f64> {
    let mut jacobian = Array2::zeros((output(at).len(), at.len()));
    for (coordinate, mut column) in jacobian.axis_iter_mut(Axis(1)).enumerate() {
        let moved = |step: f64| {
            let mut moved = at.clone();
            moved[coordinate] += step;
            output(&moved)
        };
        column.assign(&((moved(STEP) - moved(-STEP)) / (2.0 * STEP)));
    }
    jacobian
}

/// Whether two numbers agree; a NaN does not.
pub(super) fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= TOLERANCE * (1.0 + b.abs())
}

/// Whether two arrays agree; another shape or a NaN does not.
pub(super) fn close<D: Dimension>(a: &ArrayRef<f64, D>, b: &ArrayRef<f64, D>) -> bool {
    a.shape() == b.shape() && a.iter().zip(b).all(|(&a, &b)| near(a, b))
}

/// A matrix with its size, on one line.
pub(super) fn shown(matrix: &Array2<f64>) -> String {
    let rows: Vec<String> = matrix.outer_iter().map(|row| format!("{row:.4}")).collect();
    format!("{} × {}: [{}]", matrix.nrows(), matrix.ncols(), rows.join(", "))
}

/// A counterexample unless the answer fits.
pub(super) fn unless(fits: bool, input: String, got: String, wanted: impl Into<String>) -> Result<(), Counterexample> {
    if fits { Ok(()) } else { Err(Counterexample { input, got, wanted: wanted.into() }) }
}

/// Shapes and entries of arrays, to tell answers apart.
pub(super) fn flat<D: Dimension>(arrays: impl IntoIterator<Item = Array<f64, D>>) -> Vec<f64> {
    let mut numbers = Vec::new();
    for array in arrays {
        numbers.extend(array.shape().iter().map(|&length| length as f64));
        numbers.extend(array);
    }
    numbers
}
