//! `Module`: a tree of named parts with parameters for leaves.
//!
//! A model is a struct of layers. It says what its parts are called; lists of parameters, their paths, evaluation mode
//! and optimisers follow from that.
//!
//! ```
//! use d2l::prelude::*;
//!
//! struct Classifier {
//!     table: Embedding,
//!     out: Linear,
//! }
//!
//! impl Module for Classifier {
//!     fn parts(&self) -> Parts<'_> {
//!         parts!(self, table, out)
//!     }
//! }
//!
//! let mut generator = seeded(0);
//! let model = Classifier { table: Embedding::new(4, 8, &mut generator), out: Linear::new(8, 2, &mut generator) };
//! let names: Vec<String> = model.named_parameters().into_iter().map(|(path, _)| path).collect();
//! assert_eq!(names, ["table.weight", "out.weight", "out.bias"]);
//! assert_eq!(model.parameter_count(), 4 * 8 + 2 * 8 + 2);
//! assert_eq!(model.parameter("out.weight").shape(), [2, 8]);
//! ```

use std::borrow::Cow;

use crate::autograd::{Real, Tensor};

/// A module's parts under their names; [`parts!`](crate::parts) makes it.
pub type Parts<'a, A = f64> = Vec<(Cow<'static, str>, &'a dyn Module<A>)>;

/// Something with parameters: a layer, a model of layers, a list of either, a parameter itself.
pub trait Module<A: Real = f64> {
    /// The parts under their names, parameters among them. Parts without parameters belong to it as well: dropout has to
    /// know when training ends.
    fn parts(&self) -> Parts<'_, A>;

    /// The parameter that this part is, if it is one: the leaf of the tree.
    fn as_parameter(&self) -> Option<&Tensor<A>> {
        None
    }

    /// Tells every part whether it is being trained; see [`train`](Self::train) and [`eval`](Self::eval).
    fn set_training(&self, training: bool) {
        for (_, part) in self.parts() {
            part.set_training(training);
        }
    }

    /// Puts every part in training mode, the mode of a new layer.
    fn train(&self) {
        self.set_training(true);
    }

    /// Puts every part in evaluation mode: dropout passes on what it gets.
    fn eval(&self) {
        self.set_training(false);
    }

    /// Every parameter with its path, such as `blocks.0.attention.w_q.weight`, in the order of the parts.
    ///
    /// The tensors are the parameters themselves: what is done to one is done to the model. A tensor that stands in two
    /// places goes by the first; a module that is itself a parameter has no name for it but "".
    fn named_parameters(&self) -> Vec<(String, Tensor<A>)> {
        if let Some(parameter) = self.as_parameter() {
            return vec![(String::new(), parameter.clone())];
        }
        let mut found = Vec::new();
        for (name, part) in self.parts() {
            collect(name.into_owned(), part, &mut found);
        }
        found
    }

    /// Every parameter, in the order of the parts.
    fn parameters(&self) -> Vec<Tensor<A>> {
        self.named_parameters().into_iter().map(|(_, parameter)| parameter).collect()
    }

    /// The parameter with this path.
    ///
    /// # Panics
    /// If there is none.
    #[track_caller]
    fn parameter(&self, path: &str) -> Tensor<A> {
        let mut all = self.named_parameters();
        match all.iter().position(|(name, _)| name == path) {
            Some(place) => all.swap_remove(place).1,
            None => {
                let names: Vec<String> = all.into_iter().map(|(name, _)| name).collect();
                panic!("no parameter is called \"{path}\": there are {}", names.join(", "))
            }
        }
    }

    /// How many numbers the parameters hold together.
    fn parameter_count(&self) -> usize {
        self.parameters().iter().map(|parameter| parameter.shape().iter().product::<usize>()).sum()
    }

    /// Forgets every parameter's gradient.
    fn zero_grad(&self) {
        for parameter in self.parameters() {
            parameter.zero_grad();
        }
    }
}

fn collect<A: Real>(path: String, part: &dyn Module<A>, found: &mut Vec<(String, Tensor<A>)>) {
    if let Some(parameter) = part.as_parameter() {
        if !found.iter().any(|(_, known)| known.is(parameter)) {
            found.push((path, parameter.clone()));
        }
        return;
    }
    for (name, part) in part.parts() {
        collect(format!("{path}.{name}"), part, found);
    }
}

/// The named fields of a struct as the parts of a [`Module`](crate::nn::Module): `parts!(self, table, out)`.
#[macro_export]
macro_rules! parts {
    ($module:ident $(, $part:ident)* $(,)?) => {
        ::std::vec![$((::std::borrow::Cow::Borrowed(::std::stringify!($part)), &$module.$part as &dyn $crate::nn::Module<_>)),*]
    };
}

/// A parameter is the leaf of the tree.
impl<A: Real> Module<A> for Tensor<A> {
    fn parts(&self) -> Parts<'_, A> {
        Vec::new()
    }

    fn as_parameter(&self) -> Option<&Tensor<A>> {
        Some(self)
    }
}

/// The parts of a list are called 0, 1, 2 and so on.
impl<A: Real, M: Module<A>> Module<A> for Vec<M> {
    fn parts(&self) -> Parts<'_, A> {
        self.iter().enumerate().map(|(i, part)| (Cow::Owned(i.to_string()), part as &dyn Module<A>)).collect()
    }
}

/// A part that may be missing, such as a bias, goes by its own name.
impl<A: Real, M: Module<A>> Module<A> for Option<M> {
    fn parts(&self) -> Parts<'_, A> {
        self.as_ref().map_or_else(Vec::new, Module::parts)
    }

    fn as_parameter(&self) -> Option<&Tensor<A>> {
        self.as_ref().and_then(Module::as_parameter)
    }

    fn set_training(&self, training: bool) {
        if let Some(part) = self {
            part.set_training(training);
        }
    }
}
