//! One head's forward pass, and softmax alone, at the sizes at which NumPy is timed beside it (d = 64).

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use d2l::attention::{Dot, Mask, attention, attention_pooling, softmax};
use d2l::random::{self, seeded};
use ndarray::{Array1, Array2, NdFloat};

const D: usize = 64;

fn normal<A: NdFloat>(rows: usize, columns: usize, scale: f64) -> Array2<A> {
    random::normal((rows, columns), &mut seeded(0)).mapv(|x| A::from(x * scale).expect("a number in range"))
}

fn head<A: NdFloat>(criterion: &mut Criterion, kind: &str) {
    let mut group = criterion.benchmark_group(format!("attention_{kind}"));
    let [wq, wk, wv] = [(); 3].map(|()| normal::<A>(D, D, 0.125));
    for n in [3, 64, 512, 1024] {
        let x = normal::<A>(n, D, 1.0);
        group.bench_function(BenchmarkId::from_parameter(n), |bencher| {
            bencher.iter(|| attention(black_box(&x), &wq, &wk, &wv, Mask::None));
        });
    }
    let scores = normal::<A>(1024, 1024, 1.0);
    group.bench_function("softmax_1024", |bencher| bencher.iter(|| softmax(black_box(&scores))));
    group.finish();
}

fn pooling(criterion: &mut Criterion) {
    let (query, keys, values) = (Array1::<f64>::ones(8), normal(100_000, 8, 1.0), normal(100_000, 8, 1.0));
    criterion.bench_function("pooling_100000_keys", |bencher| {
        bencher.iter(|| attention_pooling(black_box(&query), &keys, &values, Dot));
    });
}

fn all(criterion: &mut Criterion) {
    head::<f32>(criterion, "float32");
    head::<f64>(criterion, "float64");
    pooling(criterion);
}

criterion_group!(benches, all);
criterion_main!(benches);
