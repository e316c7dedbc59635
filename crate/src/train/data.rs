//! `DataModule`: where a trainer's batches come from; `shuffled_batches`: which examples stand in which.

use crate::random::{Generator, permutation};

/// Training and validation data, one batch at a time.
///
/// A batch is whatever the model's training step takes: a tuple of tensors, a text and its label.
///
/// ```
/// use d2l::random::{Generator, seeded};
/// use d2l::train::{DataModule, shuffled_batches};
///
/// struct Texts(Vec<(&'static str, usize)>);
///
/// impl DataModule for Texts {
///     type Batch = Vec<(&'static str, usize)>;
///
///     fn train_batches(&self, generator: &mut Generator) -> impl Iterator<Item = Self::Batch> {
///         shuffled_batches(self.0.len(), 2, generator).map(|batch| batch.iter().map(|&i| self.0[i]).collect())
///     }
/// }
///
/// let texts = Texts(vec![("the river bank", 0), ("money bank", 1), ("river bank", 0)]);
/// let lengths: Vec<usize> = texts.train_batches(&mut seeded(0)).map(|batch| batch.len()).collect();
/// assert_eq!(lengths, [2, 1]);
/// ```
pub trait DataModule {
    /// What one step learns from.
    type Batch;

    /// The batches of one epoch. Whatever is left to chance, such as their order, is drawn from `generator`.
    fn train_batches(&self, generator: &mut Generator) -> impl Iterator<Item = Self::Batch>;

    /// The batches that training does not see; none unless the module has them.
    fn val_batches(&self) -> impl Iterator<Item = Self::Batch> {
        std::iter::empty()
    }
}

/// The places of `count` examples in an order drawn by chance, `batch_size` at a time; the last batch may be smaller.
///
/// # Panics
/// If `batch_size` is 0.
///
/// ```
/// use d2l::random::seeded;
/// use d2l::train::shuffled_batches;
///
/// let batches: Vec<Vec<usize>> = shuffled_batches(5, 2, &mut seeded(0)).collect();
/// assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);
/// assert!((0..5).all(|example| batches.concat().contains(&example)));
/// ```
#[track_caller]
pub fn shuffled_batches(
    count: usize,
    batch_size: usize,
    generator: &mut Generator,
) -> impl Iterator<Item = Vec<usize>> + use<> {
    assert!(batch_size > 0, "a batch of size 0 holds no example: batch_size must be at least 1");
    let order = permutation(count, generator);
    (0..count).step_by(batch_size).map(move |start| order[start..count.min(start + batch_size)].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::seeded;

    #[test]
    fn a_seed_settles_the_batches() {
        let batches = |seed, size| shuffled_batches(10, size, &mut seeded(seed)).collect::<Vec<_>>();
        assert_eq!(batches(1, 3), batches(1, 3));
        assert_ne!(batches(1, 3), batches(2, 3));
        assert_eq!(batches(1, 3).concat(), batches(1, 100).concat());
        assert_eq!(shuffled_batches(0, 3, &mut seeded(0)).count(), 0);
    }

    #[test]
    fn epochs_differ() {
        let mut generator = seeded(1);
        let mut epoch = || shuffled_batches(10, 4, &mut generator).collect::<Vec<_>>();
        assert_ne!(epoch(), epoch());
    }

    #[test]
    #[should_panic = "a batch of size 0 holds no example"]
    fn a_batch_holds_something() {
        let _ = shuffled_batches(3, 0, &mut seeded(0));
    }
}
