//! Scores, masks, softmax, attention pooling and one attention head.
