//! The matrix product, batched: the last two axes are the matrices, axes before them broadcast.

use super::array::Shared;
use super::broadcast::{stretched, sum_to};
use super::parallel::{both, threads};
use super::product::{MULTIPLICATIONS_A_STEP, product, product_on, reshaped, transposed};
use super::{Real, Tensor};

/// Y = A B; dA = dY Bᵀ, dB = Aᵀ dY
pub(super) fn matmul<A: Real>(a: &Tensor<A>, b: &Tensor<A>) -> Tensor<A> {
    let (a_value, b_value) = (a.value(), b.value());
    let y = product(&a_value, &b_value);
    Tensor::result("matrix product", y, [a.clone(), b.clone()], move |dy, [a, b]| {
        let [a_shape, b_shape] = [a, b].map(|x| x.shape().to_vec());
        let steps = 2 * dy.len() * a_shape[a_shape.len() - 1] / MULTIPLICATIONS_A_STEP;
        // Each of the two is computed where it is needed, and both at the same time.
        let (mut da, mut db) = (None, None);
        let mut compute_da = |most| {
            da = Some(sum_to(&a_shape, product_on(most, &dy, &transposed(b_value.clone()))));
        };
        let mut compute_db = |most| {
            db = Some(match b_shape.len() {
                // The sum over the batch is one product of tall matrices; as (dYᵀ A)ᵀ it lies in memory as B does.
                2 if is_transposed(&b_value) => {
                    transposed(product_on(most, &transposed(tall(dy.clone())), &tall(a_value.clone())))
                }
                2 => product_on(most, &transposed(tall(a_value.clone())), &tall(dy.clone())),
                _ => sum_to(&b_shape, product_on(most, &transposed(a_value.clone()), &dy)),
            });
        };
        match [a.needs_gradient(), b.needs_gradient()] {
            [true, true] => both(threads(steps), &mut compute_da, &mut compute_db),
            [true, false] => compute_da(usize::MAX),
            [false, _] => compute_db(usize::MAX),
        }
        for (x, gradient) in [(a, da), (b, db)] {
            if let Some(gradient) = gradient {
                x.add_gradient(gradient);
            }
        }
    })
}

/// Whether a matrix is in column-major order.
fn is_transposed<A: Real>(matrix: &Shared<A>) -> bool {
    matrix.strides()[0] < matrix.strides()[1]
}

/// All rows of a batch of matrices as one matrix.
fn tall<A: Real>(batch: Shared<A>) -> Shared<A> {
    if batch.ndim() == 2 {
        return batch;
    }
    let (&columns, leading) = batch.shape().split_last().expect("two axes or more");
    let shape = [leading.iter().product(), columns];
    reshaped(batch, &shape)
}

impl<A: Real> Tensor<A> {
    /// The matrix product over the last two axes: .. x n x k times .. x k x m is .. x n x m.
    ///
    /// Axes before the last two are a batch and broadcast. As in NumPy, a tensor of one axis is one row on the left, one
    /// column on the right, and that axis is gone from the product.
    ///
    /// # Panics
    ///
    /// If a tensor has no axis, if the inner lengths differ or if the leading axes do not broadcast.
    ///
    /// ```
    /// use d2l::autograd::Tensor;
    /// use ndarray::array;
    ///
    /// let a = Tensor::new(array![[1.0, 2.0], [3.0, 4.0]]);
    /// let b = Tensor::new(array![[1.0], [10.0]]);
    /// assert_eq!(a.matmul(&b).value(), array![[21.0], [43.0]].into_dyn());
    /// ```
    #[track_caller]
    pub fn matmul(&self, other: &Self) -> Self {
        assert_fit(self.shape(), other.shape());
        if self.ndim() == 1 {
            return self.insert_axis(0).matmul(other).remove_axis(-2 + isize::from(other.ndim() == 1));
        }
        if other.ndim() == 1 {
            return self.matmul(&other.insert_axis(1)).remove_axis(-1);
        }
        (A::OPERATIONS.matmul)(self, other)
    }
}

#[track_caller]
fn assert_fit(a: &[usize], b: &[usize]) {
    assert!(
        !a.is_empty() && !b.is_empty(),
        "matmul: shapes {a:?} and {b:?} do not fit: a matrix product needs an axis on both sides"
    );
    let inner = [a[a.len() - 1], if b.len() == 1 { b[0] } else { b[b.len() - 2] }];
    assert!(
        inner[0] == inner[1],
        "matmul: shapes {a:?} and {b:?} do not fit: n x k times k x m needs equal k, not {} and {}",
        inner[0],
        inner[1]
    );
    let leading = |shape: &[usize]| shape[..shape.len().max(2) - 2].to_vec();
    assert!(
        stretched(&leading(a), &leading(b)).is_some(),
        "matmul: shapes {a:?} and {b:?} do not fit: the axes before the last two have to broadcast"
    );
}
