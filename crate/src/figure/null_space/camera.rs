//! From three dimensions to the sheet: an axonometric view, in which parallel lines stay parallel.

pub(super) type Vector = [f64; 3];

/// Height of the view above the floor, and the turns that are tried, in degrees.
const ELEVATION: f64 = 24.0;
const TURNS: [f64; 12] = [35.0, 50.0, 20.0, 65.0, -35.0, -50.0, -20.0, -65.0, 125.0, 145.0, -125.0, -145.0];
/// The cosine wished for between the view and the plane's normal: neither edge on nor face on.
const TILT: f64 = 0.55;

/// What the sine of the smallest angle between the normal and an axis on the sheet is worth.
const CLEARANCE: f64 = 0.4;
/// A normal with a coordinate this large runs along an axis anyway.
const ALONG: f64 = 0.999;

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn scaled(a: Vector, factor: f64) -> Vector {
    a.map(|coordinate| coordinate * factor)
}

pub(super) fn sum(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// The vector of length 1 in the same direction.
pub(super) fn unit(a: Vector) -> Vector {
    scaled(a, 1.0 / dot(a, a).sqrt())
}

/// Where one looks from.
#[derive(Clone, Copy)]
pub(super) struct Camera {
    right: Vector,
    up: Vector,
    /// Toward the one who looks.
    pub toward: Vector,
}

impl Camera {
    fn turned(degrees: f64) -> Self {
        let ((s, c), (s_up, c_up)) = (degrees.to_radians().sin_cos(), ELEVATION.to_radians().sin_cos());
        Self { right: [-s, c, 0.0], up: [-s_up * c, -s_up * s, c_up], toward: [c_up * c, c_up * s, s_up] }
    }

    /// The view in which a plane with this normal of length 1 is seen best.
    pub fn facing(normal: Vector) -> Self {
        let cameras = TURNS.map(Self::turned);
        let best = cameras.iter().map(|camera| camera.miss(normal)).fold(f64::INFINITY, f64::min);
        // The first of equals: a difference in the last digit must not turn the figure.
        *cameras.iter().find(|camera| camera.miss(normal) < best + 1e-9).expect("one of them is the best")
    }

    /// How far the plane's tilt is from the one wished for, less the clearance of its normal from the axes.
    fn miss(&self, normal: Vector) -> f64 {
        let (x, y) = self.place(normal);
        let clear = (0..3).filter(|&axis| normal[axis].abs() < ALONG).map(|axis| {
            let (a, b) = (self.right[axis], self.up[axis]);
            (x * b - y * a).abs() / (x.hypot(y) * a.hypot(b)).max(f64::MIN_POSITIVE)
        });
        (dot(self.toward, normal).abs() - TILT).abs() - CLEARANCE * clear.fold(1.0, f64::min)
    }

    /// Place on the sheet, across and up.
    pub fn place(&self, point: Vector) -> (f64, f64) {
        (dot(point, self.right), dot(point, self.up))
    }
}
