//! Everything a notebook uses, in one `use`.

pub use ndarray::{self, Array1, Array2, Array3, Array4, ArrayView1, ArrayView2, Axis, array, s};

pub use crate::attention::{
    Boxcar, Dot, Epanechnikov, Gaussian, Kernel, Mask, NegativeSquaredDistance, NormalizeError, ScaledDot, Score,
    Triangular, attention, attention_pooling, column, masked_softmax, normalize, score_pairs, softmax, top_k,
    word_similarity,
};
pub use crate::autograd::{Real, Tensor, no_grad};
pub use crate::exercise::{Language, check, hint, progress, reset_progress};
pub use crate::figure::{
    Arrows, Figure, Heatmaps, Matrices, Mechanism, Mixture, NullSpace, Plot, Stepper, Sublayer, Table, Updates,
    Vectors, plot, scatter, show_arrows, show_attention_pooling, show_heatmaps, show_matrix, show_mixture,
    show_null_space, show_sublayer, show_table, show_updates, show_vectors, stepper,
};
pub use crate::nn::{
    Adam, AdamW, AddNorm, AdditiveAttention, DotProductAttention, Dropout, Embedding, LayerNorm, Linear, Module,
    MultiHeadAttention, Optimizer, Parts, PositionWiseFFN, PositionalEncoding, RotaryPositions, Sgd,
    TransformerEncoderBlock, clip_gradients,
};
pub use crate::parts;
pub use crate::random::{Generator, normal, permutation, seeded, uniform};
pub use crate::train::{DataModule, DataParallel, ProgressBoard, Timer, Trainable, Trainer, shuffled_batches};
