//! Scores, masks, softmax, attention pooling and one attention head.
//!
//! | file | what it computes |
//! |---|---|
//! | `score` | a(q, k): how well a query and a key agree |
//! | `kernel` | the kernels of the Nadaraya–Watson estimator, as weights and as scores |
//! | `words` | scores between things that are not vectors, such as words |
//! | `mask` | which keys a query may see |
//! | `softmax` | weights from scores |
//! | `normalize` | weights that sum to 1 from nonnegative weights |
//! | `pooling` | the weighted sum of values, equation 11.1.1 of *Dive into Deep Learning* |
//! | `head` | one attention head with its three projections |
//! | `top_k` | the largest scores |
//! | `compiled` | the loops all of them share |
//!
//! A matrix holds one vector a row: n queries are n x d, m keys m x d, m values m x d_v, and weights are n x m.
//! Every function takes `f32` or `f64`, and arrays and views alike: `&x`, `&x.slice(s![.., 1..])`.
//! Shapes that do not fit are a mistake in the program and panic, with a sentence that names both shapes.

pub(crate) mod compiled;
mod head;
mod kernel;
mod mask;
mod normalize;
mod pooling;
mod score;
mod softmax;
mod top_k;
mod words;

pub use head::attention;
pub use kernel::{Boxcar, Epanechnikov, Gaussian, Kernel, Triangular};
pub use mask::Mask;
pub use normalize::{NormalizeError, normalize};
pub use pooling::{attention_pooling, column};
pub use score::{Dot, NegativeSquaredDistance, ScaledDot, Score};
pub use softmax::{masked_softmax, softmax};
pub use top_k::top_k;
pub use words::{score_pairs, word_similarity};
