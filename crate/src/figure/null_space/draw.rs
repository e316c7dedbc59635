//! The figure's two halves: space and plane.

use super::super::beside::Beside;
use super::super::canvas::{Anchor, Canvas, INK, LABEL, MUTED, Stroke, Type, paint};
use super::super::colormap::Rgb;
use super::super::labels::list;
use super::super::plane::Plane;
use super::super::ticks::short;
use super::super::words::{fitted, join, largest};
use super::super::{Draw, PAD, Picture};
use super::NullSpace;
use super::camera::{Camera, Vector, cross, dot, scaled, sum, unit};

/// Room for the drawing in space, for its words around it, for the arrow, and the side of the plane on the right.
const SPACE: (f64, f64) = (310.0, 270.0);
const WORDS: f64 = 46.0;
const BETWEEN: f64 = 74.0;
const SIDE: f64 = 240.0;
/// Room to the right of the plane.
const ASIDE: f64 = 110.0;

const READ: Rgb = [0x00, 0x5a, 0x9c];
const IGNORED: Rgb = [0xb3, 0x1b, 0x1b];
const DOT: f64 = 4.0;
/// Outputs nearer to each other than this, relative to the greatest one, are one point.
const SAME: f64 = 1e-9;

/// Everything in space, projected to pixels.
struct Scene {
    /// Ends of the axes, the plane's corners, the null line's ends.
    axes: [(f64, f64); 3],
    plane: [(f64, f64); 4],
    line: [(f64, f64); 2],
    origin: (f64, f64),
    /// Each input with its foot, and whether it is on the near side of the plane.
    inputs: Vec<([(f64, f64); 2], bool)>,
    /// The second end of the line is on the near side.
    second_near: bool,
}

impl Draw for NullSpace {
    fn draw(&self) -> Picture {
        let outputs: Vec<(f64, f64)> = (0..self.inputs.nrows()).map(|index| self.output(index)).collect();
        let plane = Plane::around(&outputs, SIDE);
        let (aside, below) = plane.margins();
        let height = (SPACE.1 + 2.0 * WORDS).max(plane.height + below + 4.0 * LABEL) + 2.0 * PAD;
        let left = PAD + SPACE.0 + 2.0 * WORDS;
        let plane = plane.at(left + BETWEEN + aside, (height - below - plane.height) / 2.0);
        let width = plane.left + plane.width + ASIDE + PAD;
        let scene = self.scene((PAD + WORDS, (height - SPACE.1) / 2.0));
        paint(width, height, self.alt(), &mut |canvas| {
            self.space(canvas, &scene, ((PAD, PAD), (left, height - PAD)));
            let (from, to, y) = (left + 8.0, left + BETWEEN - 8.0, height / 2.0);
            canvas.arrow((from, y), (to, y), Stroke::solid(INK, 1.8));
            let name = fitted(&self.map_name, LABEL, BETWEEN + 30.0);
            canvas.text((from + to) / 2.0, y - LABEL, &name, Type::new(LABEL, INK, Anchor::Middle).bold());
            self.outputs(canvas, plane, &outputs, (width, height - below - PAD));
        })
    }
}

impl NullSpace {
    fn scene(&self, corner: (f64, f64)) -> Scene {
        let most = largest(self.inputs.iter().map(|value| value.abs()));
        let most = if most > 0.0 { most } else { 1.0 };
        let normal = unit(self.null);
        let camera = Camera::facing(normal);
        let inputs: Vec<[Vector; 2]> = (0..self.inputs.nrows()).map(|index| self.with_foot(index, most)).collect();
        // Two directions at right angles in the plane; the axis that lies flattest on it gives the first.
        let flattest = (0..3).min_by(|&a, &b| self.null[a].abs().total_cmp(&self.null[b].abs())).unwrap_or(0);
        let mut axis = [0.0; 3];
        axis[flattest] = 1.0;
        let first = unit(sum(axis, scaled(normal, -dot(axis, normal))));
        let second = cross(normal, first);
        let reach = |direction: Vector, of: usize| {
            1.15 * largest(inputs.iter().map(|points| dot(points[of], direction).abs())).max(0.6)
        };
        let (a, b) = (scaled(first, reach(first, 1)), scaled(second, reach(second, 1)));
        let end = scaled(normal, reach(normal, 0));
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let plane = corners.map(|[i, j]| camera.place(sum(scaled(a, i), scaled(b, j))));
        let line = [camera.place(scaled(end, -1.0)), camera.place(end)];
        let axes = [[1.1, 0.0, 0.0], [0.0, 1.1, 0.0], [0.0, 0.0, 1.1]].map(|axis| camera.place(axis));
        let points = inputs.iter().map(|pair| {
            let near = dot(pair[0], normal) * dot(camera.toward, normal) >= 0.0;
            (pair.map(|point| camera.place(point)), near)
        });
        let points: Vec<_> = points.collect();

        let mut all = [plane.as_slice(), &line, &axes].concat();
        for (pair, _) in &points {
            all.extend(pair);
        }
        let (mut low, mut high) = ((0.0f64, 0.0f64), (0.0f64, 0.0f64));
        for (x, y) in all {
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        let scale = (SPACE.0 / (high.0 - low.0)).min(SPACE.1 / (high.1 - low.1));
        let middle = (corner.0 + SPACE.0 / 2.0, corner.1 + SPACE.1 / 2.0);
        let pixel = |(x, y): (f64, f64)| {
            (middle.0 + (x - (low.0 + high.0) / 2.0) * scale, middle.1 - (y - (low.1 + high.1) / 2.0) * scale)
        };
        Scene {
            axes: axes.map(pixel),
            plane: plane.map(pixel),
            line: line.map(pixel),
            origin: pixel((0.0, 0.0)),
            inputs: points.into_iter().map(|(pair, near)| (pair.map(pixel), near)).collect(),
            second_near: dot(camera.toward, normal) >= 0.0,
        }
    }

    fn space(&self, canvas: &mut Canvas, scene: &Scene, room: ((f64, f64), (f64, f64))) {
        let ignored = Stroke::solid(IGNORED, 2.4);
        let far_end = scene.line[usize::from(!scene.second_near)];
        let near_end = scene.line[usize::from(scene.second_near)];
        canvas.line(&[scene.origin, far_end], ignored);
        self.points(canvas, scene, false);
        canvas.area(&scene.plane, READ, 0.16);
        let mut outline = scene.plane.to_vec();
        outline.push(scene.plane[0]);
        canvas.line(&outline, Stroke::solid(READ, 1.0));
        for end in scene.axes {
            canvas.arrow(scene.origin, end, Stroke::solid(MUTED, 1.0));
        }
        canvas.line(&[scene.origin, near_end], ignored);
        self.points(canvas, scene, true);

        let origin = scene.origin;
        let mut lines: Vec<_> =
            [scene.axes.as_slice(), &scene.line].concat().iter().map(|&end| (origin, end)).collect();
        lines.extend(scene.inputs.iter().map(|(pair, _)| (pair[0], pair[1])));
        lines.extend(outline.windows(2).map(|pair| (pair[0], pair[1])));
        let mut beside = Beside::new(room, lines);
        let outward = |(x, y): (f64, f64)| (x - origin.0, y - origin.1);
        for (index, (pair, _)) in scene.inputs.iter().enumerate() {
            let away = (pair[0].0 - pair[1].0 + 1.0, pair[0].1 - pair[1].1);
            beside.write(canvas, pair[0], away, &self.labels.name(index), true);
        }
        let null = format!("{} {}", self.spaces[1], self.direction());
        beside.write(canvas, scene.line[1], outward(scene.line[1]), null.trim(), false);
        for (index, &end) in scene.axes.iter().enumerate() {
            beside.write(canvas, end, outward(end), &self.labels.coordinate(index), false);
        }
        let lowest = scene.plane.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or(origin);
        beside.write(canvas, lowest, outward(lowest), &self.spaces[0], false);
    }

    /// Inputs on one side of the plane, each joined with its foot.
    fn points(&self, canvas: &mut Canvas, scene: &Scene, near_side: bool) {
        for ([input, foot], near) in &scene.inputs {
            if *near == near_side {
                canvas.line(&[*foot, *input], Stroke { color: IGNORED, width: 1.4, dash: (4.0, 3.0) });
                canvas.disc(*input, DOT, INK, None);
            }
            if near_side {
                canvas.disc(*foot, DOT - 1.0, READ, Some(1.5));
            }
        }
    }

    /// The outputs, with the names of all inputs that come out there.
    fn outputs(&self, canvas: &mut Canvas, plane: Plane, outputs: &[(f64, f64)], (width, bottom): (f64, f64)) {
        plane.axes(canvas, [&self.outputs[0], &self.outputs[1]]);
        let origin = plane.pixel((0.0, 0.0));
        let mut beside = Beside::new(((plane.left, 0.0), (width, bottom)), plane.lines().to_vec());
        let most = largest(outputs.iter().map(|(x, y)| x.abs().max(y.abs())));
        let same = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).abs().max((a.1 - b.1).abs()) <= SAME * most;
        for (index, &output) in outputs.iter().enumerate() {
            let alike = |&other: &usize| same(outputs[other], output);
            if (0..index).any(|other| alike(&other)) {
                continue;
            }
            let names = (index..outputs.len()).filter(alike).map(|other| self.labels.name(other));
            let at = plane.pixel(output);
            canvas.disc(at, DOT, READ, None);
            let words = join(names, ", ");
            beside.write(canvas, at, (at.0 - origin.0, at.1 - origin.1), &words, true);
        }
    }

    fn direction(&self) -> String {
        format!("[{}]", self.null.map(short).join(", "))
    }

    fn alt(&self) -> String {
        let outputs = self.inputs.dot(&self.map);
        let decimals = self.labels.decimals_for(self.inputs.iter().chain(&outputs));
        let inputs = self.inputs.outer_iter().zip(outputs.outer_iter()).enumerate().map(|(index, (input, output))| {
            format!("; {} {} → {}", self.labels.name(index), list(input, decimals), list(output, decimals))
        });
        format!("{}{} → 0{}", self.labels.told(), self.direction(), inputs.collect::<String>())
    }
}
