//! The table: one line an exercise.

use super::entry::Entry;

/// Makes of each line `check = file::ENTRY(Answer);` an entry of the table and the check that a notebook calls.
macro_rules! exercises {
    ($($(#[$words:meta])* $check:ident = $file:ident::$entry:ident($answer:ident);)*) => {
        /// Every exercise, in the order of the notebooks.
        pub(super) static TABLE: &[&dyn Entry] = &[$(&super::$file::$entry),*];

        /// The checks: each takes the learner's function and returns the verdict.
        pub mod check {
            use crate::exercise::{self, Verdict};

            $($(#[$words])*
            pub fn $check(answer: exercise::$file::$answer) -> Verdict {
                exercise::$file::$entry.judge(answer).kept()
            })*
        }
    };
}

exercises! {
    /// A score that makes attention an approximate look-up, from the nearest key to the average of all.
    lt_ex1a = lt_ex1::SCORE(VectorScore);
    /// A score of words.
    lt_ex1b = lt_ex1::WORDS(WordScore);
    /// Whether the boxcar kernel has no answer.
    lt_ex1c = lt_ex1::RANGE(InRange);
    /// The derivatives of softmax by its scores.
    lt_ex2a = lt_ex2::JACOBIAN(SoftmaxJacobian);
    /// The gradient of attention pooling as the covariance of the keys.
    lt_ex2b = lt_ex2::COVARIANCE(KeyGradient);
    /// The gradient when the values are not the keys and the score is scaled.
    lt_ex2c = lt_ex2::VALUES(ValueGradient);
    /// A text as a vector.
    lt_ex3a = lt_ex3::VECTOR(TextVector);
    /// The loss of a click.
    lt_ex3b = lt_ex3::LOSS(ClickLoss);
    /// The derivatives of that loss by the query and by the keys.
    lt_ex3c = lt_ex3::GRADIENTS(ClickGradients);
    /// The mean reciprocal rank.
    lt_ex3d = lt_ex3::RECIPROCAL(MeanReciprocalRank);
    /// A place in a ranking that has a gradient.
    lt_ex3e = lt_ex3::RANK(SoftRank);
    /// The gates of squeeze and excitation.
    lt_ex4a = lt_ex4::GATES(Gates);
    /// Channels rescaled by their gates.
    lt_ex4b = lt_ex4::RESCALE(Rescale);
    /// Squeezing as attention: its query, keys and values.
    lt_ex4c = lt_ex4::SQUEEZE(Roles);
    /// Excitation beside attention: its query, keys and values.
    lt_ex4d = lt_ex4::EXCITATION(GateRoles);
    /// The Gaussian kernel as a score of dot products, on the unit sphere.
    lt_ex5a = lt_ex5::SCORE(SphereScore);
    /// The largest weight that a key on the unit sphere can get.
    lt_ex5b = lt_ex5::LARGEST(LargestWeight);
    /// The error of the Nadaraya–Watson estimator with each point left out.
    lt_ex6a = lt_ex6::ERROR(LeaveOneOut);
    /// The width of the Gaussian kernel, learned from the measurements.
    lt_ex6b = lt_ex6::WIDTH(LearnWidth);
    /// One row of the mixture, without the whole head.
    uk_ex1a = uk_mixture::ROW(RowMixture);
    /// The factor of the scores at which the largest weight reaches nine tenths.
    uk_ex1b = uk_mixture::SCALE(Sharpening);
    /// A query map with which tower attends to Eiffel.
    uk_ex2a = uk_query::MAP(QueryMap);
    /// The weight that is left for all but the winner.
    uk_ex2b = uk_query::LEFT_OVER(LeftOver);
    /// A direction in a map's null space and one outside it.
    uk_ex2c = uk_query::IGNORED(Directions);
    /// Two inputs that one head cannot tell apart and another can.
    uk_ex2d = uk_query::TWINS(Twins);
    /// How many matrices and vectors a model has.
    uk_ex3a = uk_tables::COUNTS(Counts);
    /// Other weights with the same mixture.
    uk_ex3b = uk_tables::SAME_MIXTURE(QueryAndValueMaps);
    /// A key that halves every weight without a change of the query.
    uk_ex3c = uk_tables::EXTRA_KEY(ExtraKey);
}
