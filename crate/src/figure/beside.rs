//! Places for words beside points, so that words meet neither each other nor the lines of the drawing.

use super::canvas::{Anchor, Canvas, INK, LABEL, MUTED, Stroke, Type};
use super::words::{fitted, width_of};

type Point = (f64, f64);

/// Distances from the point that are tried in turn, and turns from the direction wished for.
const DISTANCES: [f64; 12] = [7.0, 13.0, 20.0, 30.0, 42.0, 56.0, 74.0, 96.0, 120.0, 150.0, 185.0, 225.0];
const TURNS: [f64; 12] = [0.0, 25.0, -25.0, 50.0, -50.0, 80.0, -80.0, 115.0, -115.0, 145.0, -145.0, 180.0];
/// Words farther away than this are joined to their point by a line.
const NEAR: f64 = 14.0;
const HALF: f64 = LABEL / 2.0 + 1.0;
/// The longest words that are not cut, in pixels.
pub(super) const LONGEST: f64 = 190.0;

/// The middle of a rectangle and half of its sides.
#[derive(Clone, Copy)]
struct Room {
    middle: Point,
    half: Point,
}

/// What is drawn already: words keep clear of it.
pub(super) struct Beside {
    /// Upper left and lower right corner of the room for words.
    page: (Point, Point),
    taken: Vec<Room>,
    lines: Vec<(Point, Point)>,
}

impl Beside {
    pub fn new(page: (Point, Point), lines: Vec<(Point, Point)>) -> Self {
        Self { page, taken: Vec::new(), lines }
    }

    /// Writes `words` beside `point`, if possible in the direction given.
    pub fn write(&mut self, canvas: &mut Canvas, point: Point, direction: Point, words: &str, bold: bool) {
        let short = fitted(words, LABEL, LONGEST.min(self.page.1.0 - self.page.0.0 - 4.0));
        let length = width_of(&short, LABEL);
        if short.trim().is_empty() {
            return;
        }
        let (room, distance) = self.place(point, direction, (length / 2.0 + 1.0, HALF));
        if distance > NEAR {
            let near = |at: f64, middle: f64, half: f64| at.clamp(middle - half, middle + half);
            let end = (near(point.0, room.middle.0, room.half.0), near(point.1, room.middle.1, room.half.1));
            canvas.line(&[point, end], Stroke::solid(MUTED, 0.7));
        }
        let (x, y) = room.middle;
        canvas.text(x, y, &short, Type { bold, ..Type::new(LABEL, INK, Anchor::Middle) });
        if short != words {
            canvas.tip(x - room.half.0, y - room.half.1, 2.0 * room.half.0, 2.0 * room.half.1, words);
        }
        self.taken.push(room);
    }

    /// The free room nearest to the point, or the one that covers least.
    fn place(&self, point: Point, (dx, dy): Point, half: Point) -> (Room, f64) {
        let length = dx.hypot(dy);
        let start = if length > 0.0 { dy.atan2(dx) } else { -0.6 };
        let mut best = None;
        for distance in DISTANCES {
            for turn in TURNS {
                let (sin, cos) = (start + turn.to_radians()).sin_cos();
                let middle = (point.0 + cos * (distance + half.0), point.1 + sin * (distance + half.1));
                let room = self.inside(Room { middle, half });
                let covered = self.covered(room, point);
                if covered == 0 {
                    return (room, distance);
                }
                if best.is_none_or(|(_, _, least)| covered < least) {
                    best = Some((room, distance, covered));
                }
            }
        }
        let (room, distance, _) = best.expect("a place was tried");
        (room, distance)
    }

    fn inside(&self, room: Room) -> Room {
        let within = |at: f64, half: f64, low: f64, high: f64| at.min(high - half - 1.0).max(low + half + 1.0);
        let ((x, y), (low, high)) = (room.middle, self.page);
        let middle = (within(x, room.half.0, low.0, high.0), within(y, room.half.1, low.1, high.1));
        Room { middle, ..room }
    }

    /// How much the room covers: words count more than a line's points, which lie 3 pixels apart.
    fn covered(&self, room: Room, point: Point) -> usize {
        let words = self.taken.iter().filter(|other| {
            (other.middle.0 - room.middle.0).abs() < other.half.0 + room.half.0
                && (other.middle.1 - room.middle.1).abs() < other.half.1 + room.half.1
        });
        let holds = |(x, y): Point| {
            (x - room.middle.0).abs() < room.half.0 + 1.0 && (y - room.middle.1).abs() < room.half.1 + 1.0
        };
        let points = self.lines.iter().flat_map(|&((x0, y0), (x1, y1))| {
            let steps = ((x1 - x0).hypot(y1 - y0) / 3.0).ceil().max(1.0);
            (0..=steps as usize).map(move |step| {
                let share = step as f64 / steps;
                (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share)
            })
        });
        100 * words.count() + points.filter(|&at| holds(at)).count() + usize::from(holds(point))
    }
}
