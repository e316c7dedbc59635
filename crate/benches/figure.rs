//! Time of `show_heatmaps(..).svg()`, from a handful of squares to an averaged picture.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use d2l::prelude::*;

const SHAPES: [[usize; 4]; 6] =
    [[1, 1, 10, 10], [2, 4, 10, 10], [1, 1, 100, 100], [1, 1, 512, 512], [1, 1, 1000, 1000], [1, 1, 2048, 2048]];

fn heatmaps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("show_heatmaps");
    group.sample_size(10);
    for shape in SHAPES {
        let matrices: Array4<f64> = uniform(shape, 0.0, 1.0, &mut seeded(0));
        let draw = || show_heatmaps(&matrices, "Keys", "Queries").svg();
        let id = BenchmarkId::from_parameter(shape.map(|length| length.to_string()).join("x"));
        println!("{}: {} bytes", shape.map(|length| length.to_string()).join("x"), draw().len());
        group.bench_function(id, |bencher| bencher.iter(|| black_box(draw())));
    }
    group.finish();
}

criterion_group!(benches, heatmaps);
criterion_main!(benches);
