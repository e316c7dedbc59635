//! Tensors: products, softmax and one way there and back, small (the operations' own cost) and large (the numbers').

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use d2l::attention::Mask;
use d2l::autograd::{Real, Tensor};
use d2l::random::{normal, seeded};
use ndarray::IxDyn;

fn parameter<A: Real>(shape: &[usize]) -> Tensor<A> {
    let numbers = normal(IxDyn(shape), &mut seeded(0));
    Tensor::parameter(numbers.mapv(|x| A::from(x / 8.0).expect("a number in range")))
}

/// One head over batch x n x d: softmax(Q Kᵀ) V with Q = X Wq, K = X Wk, V = X Wv.
fn head<A: Real>(x: &Tensor<A>, [wq, wk, wv]: &[Tensor<A>; 3]) -> Tensor<A> {
    let scores = x.matmul(wq).matmul(&x.matmul(wk).transpose());
    scores.masked_softmax(Mask::Causal).matmul(&x.matmul(wv))
}

fn operations<A: Real>(criterion: &mut Criterion, kind: &str) {
    let mut group = criterion.benchmark_group(format!("autograd_{kind}"));
    for shape in [[1, 3, 8], [64, 32, 64]] {
        let [batch, n, d] = shape;
        let x = parameter::<A>(&shape);
        let weights = [(); 3].map(|()| parameter(&[d, d]));
        let scores = parameter::<A>(&[batch, n, n]);
        let id = |name: &str| BenchmarkId::new(name, format!("{batch}x{n}x{d}"));
        group.bench_function(id("matmul"), |bencher| bencher.iter(|| black_box(&x).matmul(&weights[0])));
        group.bench_function(id("batched_matmul"), |bencher| bencher.iter(|| black_box(&x).matmul(&x.transpose())));
        group.bench_function(id("softmax"), |bencher| bencher.iter(|| black_box(&scores).softmax(-1)));
        group.bench_function(id("forward"), |bencher| bencher.iter(|| head(black_box(&x), &weights)));
        group.bench_function(id("forward_backward"), |bencher| {
            bencher.iter(|| {
                head(black_box(&x), &weights).mean().backward();
                weights.iter().chain([&x]).for_each(Tensor::zero_grad);
            });
        });
    }
    group.finish();
}

fn all(criterion: &mut Criterion) {
    operations::<f32>(criterion, "float32");
    operations::<f64>(criterion, "float64");
}

criterion_group!(benches, all);
criterion_main!(benches);
