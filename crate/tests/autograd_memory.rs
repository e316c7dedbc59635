//! Memory does not grow with the number of training steps. Alone in its process, whose memory it measures.
#![cfg(target_os = "linux")]

use d2l::autograd::Tensor;
use ndarray::array;

#[path = "shared/memory.rs"]
mod memory;

#[test]
fn many_steps_take_no_more_memory_than_few() {
    let weights: Tensor = Tensor::parameter(array![[1.0, 0.5], [0.0, 1.0]]);
    let step = || {
        let loss = weights.matmul(&weights).tanh().sum();
        loss.backward();
        weights.update(|value, gradient| value.iter_mut().zip(gradient).for_each(|(x, g)| *x -= 1e-3 * g));
        weights.zero_grad();
        loss
    };
    let mut last = step();
    for _ in 0..1000 {
        last = step();
    }
    let early = memory::resident_bytes();
    for _ in 0..100_000 {
        last = step();
    }
    let grown = memory::resident_bytes().saturating_sub(early);
    assert!(last.item().is_finite() && grown < 1 << 20, "100 000 steps kept {grown} bytes");
}
