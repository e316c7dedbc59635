//! Layers, their kept weights and optimisers take no more memory with the number of steps. Alone in its process, whose
//! memory it measures.
#![cfg(target_os = "linux")]

use d2l::prelude::*;

#[path = "shared/memory.rs"]
mod memory;

#[test]
fn many_steps_of_a_block_take_no_more_memory_than_few() {
    let generator = &mut seeded(0);
    let block = TransformerEncoderBlock::new(8, 16, 2, generator).dropout(0.1, generator);
    let x = Tensor::new(normal((2, 6, 8), generator));
    let mut adam = Adam::new(&block, 1e-3);
    let mut train = |steps| {
        for _ in 0..steps {
            let loss = block.forward(&x, Mask::Causal).mse_loss(&x);
            adam.zero_grad();
            loss.backward();
            clip_gradients(&block, 1.0);
            adam.step();
        }
    };
    train(200);
    let early = memory::resident_bytes();
    train(2000);
    let grown = memory::resident_bytes().saturating_sub(early);
    // A step keeps some 40 kB until its loss is dropped.
    assert!(grown < 1 << 20, "2000 steps kept {grown} bytes");
}
