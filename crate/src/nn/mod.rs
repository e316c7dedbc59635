//! Layers, models and optimisers in the manner of PyTorch and d2l.
//!
//! | file | what it computes |
//! |---|---|
//! | `module` | [`Module`]: a tree of named parts with parameters for leaves |
//! | `linear` | [`Linear`]: x Wᵀ + b |
//! | `embedding` | [`Embedding`]: a vector for each token |
//! | `layer_norm` | [`LayerNorm`]: vectors with mean 0 and variance 1 |
//! | `dropout` | [`Dropout`]: numbers set to 0 by chance |
//! | `dot_product_attention` | [`DotProductAttention`]: scores q·k / √d |
//! | `additive_attention` | [`AdditiveAttention`]: scores w·tanh(W q + W k) |
//! | `multi_head_attention` | [`MultiHeadAttention`]: several heads side by side |
//! | `positional_encoding` | [`PositionalEncoding`]: positions added to vectors |
//! | `rotary_positions` | [`RotaryPositions`]: positions as angles |
//! | `add_norm` | [`AddNorm`]: the residual connection, normalised |
//! | `position_wise_ffn` | [`PositionWiseFFN`]: two maps with a rectifier between |
//! | `transformer_encoder_block` | [`TransformerEncoderBlock`]: all of these together |
//! | `optimizer`, `sgd`, `adam` | [`Optimizer`]; [`Sgd`], [`Adam`], [`AdamW`] |
//! | `clip` | [`clip_gradients`]: long gradients made shorter |
//! | `state` | `save_state`, `load_state`: parameters in a file (feature `safetensors`) |
//! | `attend` | softmax(Q Kᵀ / √d) V as one operation, with its derivative |
//! | `init`, `compiled`, `kept_weights` | what layers start with, the loops they share, the weights they keep |
//!
//! Names and shapes are d2l's: a batch comes first and the vectors' numbers last (batch x n x d). Layers start as PyTorch's
//! do, with numbers drawn from a [`Generator`](crate::random::Generator) that is passed in. What PyTorch takes as optional
//! arguments are methods here, such as `.dropout(0.1, &mut generator)`. A new layer is in training mode.
//!
//! Layers hold `f64` unless another type is named, and `Linear` as a type means `Linear<f64>`: a struct's fields need no
//! more. A layer that a cell keeps in a variable of its own names its type, `let layer: Linear = Linear::new(…)`.

mod adam;
mod add_norm;
mod additive_attention;
mod attend;
mod clip;
mod compiled;
mod dot_product_attention;
mod dropout;
mod embedding;
mod init;
mod kept_weights;
mod layer_norm;
mod linear;
mod module;
mod multi_head_attention;
mod optimizer;
mod position_wise_ffn;
mod positional_encoding;
mod rotary_positions;
mod sgd;
#[cfg(feature = "safetensors")]
mod state;
mod transformer_encoder_block;

pub use adam::{Adam, AdamW};
pub use add_norm::AddNorm;
pub use additive_attention::AdditiveAttention;
pub use clip::clip_gradients;
pub use dot_product_attention::DotProductAttention;
pub use dropout::Dropout;
pub use embedding::Embedding;
pub use layer_norm::LayerNorm;
pub use linear::Linear;
pub use module::{Module, Parts};
pub use multi_head_attention::MultiHeadAttention;
pub use optimizer::Optimizer;
pub use position_wise_ffn::PositionWiseFFN;
pub use positional_encoding::PositionalEncoding;
pub use rotary_positions::RotaryPositions;
pub use sgd::Sgd;
#[cfg(feature = "safetensors")]
pub use state::{StateError, load_state, save_state};
pub use transformer_encoder_block::TransformerEncoderBlock;
