//! Layer normalisation (J. L. Ba, J. R. Kiros and G. E. Hinton, 2016).

use super::array::{shared, slice, slice_mut, standard};
use super::broadcast::sum;
use super::real::float;
use super::{Real, Tensor};

/// y = w n + b with n = (x - μ) / σ, row by row, where μ and σ² = mean (x - μ)² + ε are the row's.
///
/// dw = Σ n dy and db = Σ dy over the rows; dx = (dn - mean dn - n mean (n dn)) / σ with dn = w dy: what changes the mean
/// or the variance of a row is taken out.
pub(super) fn layer_norm<A: Real>(x: &Tensor<A>, [weight, bias]: [&Tensor<A>; 2], epsilon: A) -> Tensor<A> {
    let (mut normal, w) = (x.standard(), weight.standard());
    let length = w.len();
    let count = float::<A>(length as f64);
    let mut deviations = Vec::with_capacity(normal.len() / length.max(1));
    let mut y = Vec::with_capacity(normal.len());
    if length > 0 {
        let (w, b) = (slice(&w), bias.standard());
        for row in slice_mut(&mut normal).chunks_exact_mut(length) {
            let mean = sum(row) / count;
            row.iter_mut().for_each(|x| *x -= mean);
            let variance = row.iter().fold(A::zero(), |sum, &x| sum + x * x) / count;
            let deviation = (variance + epsilon).sqrt();
            row.iter_mut().for_each(|x| *x /= deviation);
            deviations.push(deviation);
            y.extend(row.iter().zip(w).zip(slice(&b)).map(|((&n, &w), &b)| w * n + b));
        }
    }
    let parents = [x.clone(), weight.clone(), bias.clone()];
    Tensor::result("layer norm", shared(x.shape(), y), parents, move |dy, [x, weight, bias]| {
        let mut dx = standard(dy);
        let (mut dw, mut db) = (vec![A::zero(); length], vec![A::zero(); length]);
        if length > 0 {
            let (normal, w) = (slice(&normal).chunks_exact(length), slice(&w));
            for ((row, normal), deviation) in slice_mut(&mut dx).chunks_exact_mut(length).zip(normal).zip(deviations) {
                let (mut mean, mut slope) = (A::zero(), A::zero());
                for (i, dy) in row.iter_mut().enumerate() {
                    dw[i] += normal[i] * *dy;
                    db[i] += *dy;
                    *dy *= w[i];
                    mean += *dy;
                    slope += normal[i] * *dy;
                }
                let (mean, slope) = (mean / count, slope / count);
                for (dx, &n) in row.iter_mut().zip(normal) {
                    *dx = (*dx - mean - n * slope) / deviation;
                }
            }
        }
        x.accumulate(|| dx);
        weight.accumulate(|| shared(&[length], dw));
        bias.accumulate(|| shared(&[length], db));
    })
}

impl<A: Real> Tensor<A> {
    /// Shifts and scales every row of the last axis to mean 0 and variance 1, then multiplies by `weight` and adds `bias`,
    /// number by number. `epsilon` (1e-5 as a rule) is added to the variance.
    ///
    /// # Panics
    ///
    /// If this tensor has no axis, or if `weight` or `bias` is not one row of it.
    ///
    /// ```
    /// use d2l::autograd::Tensor;
    /// use ndarray::array;
    ///
    /// let (ones, zeros) = (Tensor::new(array![1.0, 1.0]), Tensor::new(array![0.0, 0.0]));
    /// let rows = Tensor::new(array![[1.0, 3.0], [10.0, 50.0]]);
    /// assert_eq!(rows.layer_norm(&ones, &zeros, 0.0).value(), array![[-1.0, 1.0], [-1.0, 1.0]].into_dyn());
    /// ```
    #[track_caller]
    pub fn layer_norm(&self, weight: &Self, bias: &Self, epsilon: A) -> Self {
        assert_row("weight", weight.shape(), self.shape());
        assert_row("bias", bias.shape(), self.shape());
        (A::OPERATIONS.layer_norm)(self, [weight, bias], epsilon)
    }
}

#[track_caller]
fn assert_row(name: &str, row: &[usize], x: &[usize]) {
    assert!(
        row.len() == 1 && x.last() == row.first(),
        "layer_norm: {name} of shape {row:?} does not fit x of shape {x:?}: it has one axis, as long as the last of x"
    );
}
