//! What the checks share: finite differences, agreement within a tolerance, and arrays as a verdict shows them.

use ndarray::{Array, Array1, Array2, ArrayRef, ArrayViewD, Dimension};

use super::entry::Counterexample;

/// Right answers agree with central differences of step 1e-5 to this.
const TOLERANCE: f64 = 1e-7;
const STEP: f64 = 1e-5;

/// Finite differences: column j is the derivative of `output` by coordinate j.
pub(super) fn differences(at: &Array1<f64>, output: &dyn Fn(&Array1<f64>) -> Array1<f64>) -> Array2<f64> {
    let mut jacobian = Array2::zeros((output(at).len(), at.len()));
    let mut moved = at.clone();
    for j in 0..at.len() {
        moved[j] = at[j] + STEP;
        let above = output(&moved);
        moved[j] = at[j] - STEP;
        let below = output(&moved);
        moved[j] = at[j];
        for i in 0..above.len() {
            jacobian[[i, j]] = (above[i] - below[i]) / (2.0 * STEP);
        }
    }
    jacobian
}

// One copy of these for all functions and formulas: ndarray's own are compiled anew for each.

/// `f` of every number.
pub(super) fn each<D: Dimension>(numbers: &ArrayRef<f64, D>, f: &dyn Fn(f64) -> f64) -> Array<f64, D> {
    numbers.mapv(f)
}

/// `f` of the numbers of two vectors, place by place.
pub(super) fn both(a: &Array1<f64>, b: &Array1<f64>, f: &dyn Fn(f64, f64) -> f64) -> Array1<f64> {
    a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect()
}

/// The matrix whose entry in row i and column j is `entry(i, j)`.
pub(super) fn matrix(shape: (usize, usize), entry: &dyn Fn(usize, usize) -> f64) -> Array2<f64> {
    Array2::from_shape_fn(shape, |(i, j)| entry(i, j))
}

/// Whether two numbers agree; a NaN does not.
pub(super) fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= TOLERANCE * (1.0 + b.abs())
}

/// Whether two arrays agree; another shape or a NaN does not.
pub(super) fn close<D: Dimension>(a: &ArrayRef<f64, D>, b: &ArrayRef<f64, D>) -> bool {
    let alike = |a: ArrayViewD<f64>, b: ArrayViewD<f64>| a.iter().zip(&b).all(|(&a, &b)| near(a, b));
    a.shape() == b.shape() && alike(a.view().into_dyn(), b.view().into_dyn())
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
        append(&mut numbers, array.view().into_dyn());
    }
    numbers
}

fn append(numbers: &mut Vec<f64>, array: ArrayViewD<f64>) {
    numbers.extend(array.shape().iter().map(|&length| length as f64));
    numbers.extend(&array);
}
