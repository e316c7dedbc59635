//! Layers, their kept weights and optimisers take no more memory with the number of steps. Alone in its process, whose
//! memory it measures.
#![cfg(target_os = "linux")]

use d2l::prelude::*;

#[path = "shared/memory.rs"]
mod memory;

struct Block(TransformerEncoderBlock);

impl Module for Block {
    fn parts(&self) -> Parts<'_> {
        self.0.parts()
    }
}

impl Trainable for Block {
    type Batch = Array3<f64>;

    fn training_step(&self, x: &Array3<f64>) -> Tensor {
        let x = Tensor::new(x.clone());
        self.0.forward(&x, Mask::Causal).mse_loss(&x)
    }
}

fn block() -> Block {
    let generator = &mut seeded(0);
    Block(TransformerEncoderBlock::new(8, 16, 2, generator).dropout(0.1, generator))
}

/// Memory is the process's: one test, one model after the other.
#[test]
fn many_steps_take_no_more_memory_than_few() {
    let x = || normal((2, 6, 8), &mut seeded(1));
    assert_many_take_no_more("a block", &block(), &x());
    assert_many_take_no_more("copies of a block", &DataParallel::new(2, block), &vec![x(), x()]);
}

fn assert_many_take_no_more<B>(what: &str, model: &impl Trainable<Batch = B>, batch: &B) {
    let mut adam = Adam::new(model, 1e-3);
    let mut train = |steps| {
        for _ in 0..steps {
            let loss = model.training_step(batch);
            adam.zero_grad();
            loss.backward();
            clip_gradients(model, 1.0);
            adam.step();
        }
    };
    train(200);
    let early = memory::resident_bytes();
    train(2000);
    let grown = memory::resident_bytes().saturating_sub(early);
    // A step keeps some 40 kB until its loss is dropped.
    assert!(grown < 1 << 20, "2000 steps of {what} kept {grown} bytes");
}
