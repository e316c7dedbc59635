//! Everything a notebook uses, in one `use`.

pub use ndarray::{self, Array1, Array2, Array3, Array4, ArrayView1, ArrayView2, Axis, array, s};

pub use crate::attention::{
    Boxcar, Dot, Epanechnikov, Gaussian, Kernel, Mask, NegativeSquaredDistance, NormalizeError, ScaledDot, Score,
    Triangular, attention, attention_pooling, column, masked_softmax, normalize, score_pairs, softmax, top_k,
    word_similarity,
};
pub use crate::autograd::{Real, Tensor, no_grad};
pub use crate::exercise::{Language, check, hint, progress, reset_progress};
pub use crate::figure::{Figure, Heatmaps, Mechanism, Plot, plot, scatter, show_attention_pooling, show_heatmaps};
pub use crate::random::{Generator, normal, seeded, uniform};
