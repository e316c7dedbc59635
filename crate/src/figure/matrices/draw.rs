//! Where the matrices of a figure stand.

use super::super::canvas::{Anchor, INK, Type, paint};
use super::super::words::{largest, width_of};
use super::super::{Draw, PAD, PAGE, Picture};
use super::block::LaidOut;
use super::{Matrices, Sign};

/// Size of a sign between two matrices, in pixels, and the room on either side of it.
const SIGN: f64 = 15.0;
const BESIDE: f64 = 9.0;
const BETWEEN: f64 = 14.0;

/// Matrices side by side: each one's number and left edge.
#[derive(Default)]
struct Line {
    places: Vec<(usize, f64)>,
    width: f64,
    above: f64,
    below: f64,
}

impl Draw for Matrices {
    fn draw(&self) -> Picture {
        let blocks: Vec<LaidOut> = self.blocks.iter().map(|block| block.laid_out(self.decimals)).collect();
        let lines = self.lines(&blocks);
        let width = largest(lines.iter().map(|line| line.width)) + 2.0 * PAD;
        let between = BETWEEN * (lines.len() - 1) as f64;
        let height = lines.iter().map(|line| line.above + line.below).sum::<f64>() + between + 2.0 * PAD;
        paint(width, height, self.alt(), &mut |canvas| {
            let mut top = PAD;
            for line in &lines {
                let middle = top + line.above;
                for &(index, left) in &line.places {
                    blocks[index].draw(canvas, left, middle);
                    if let Some(sign) = self.sign_before(index) {
                        let x = left - BESIDE - width_of(sign, SIGN) / 2.0;
                        canvas.text(x, middle, sign, Type::new(SIGN, INK, Anchor::Middle));
                    }
                }
                top = middle + line.below + BETWEEN;
            }
        })
    }
}

impl Matrices {
    fn lines(&self, blocks: &[LaidOut]) -> Vec<Line> {
        let mut lines = vec![Line::default()];
        for (index, block) in blocks.iter().enumerate() {
            let sign = self.sign_before(index).map_or(0.0, |sign| width_of(sign, SIGN) + 2.0 * BESIDE);
            let mut line = lines.last_mut().expect("there is a first line");
            if !line.places.is_empty() && line.width + sign + block.width > PAGE {
                lines.push(Line::default());
                line = lines.last_mut().expect("a line was just begun");
            }
            let left = line.width + sign;
            line.places.push((index, PAD + left));
            line.width = left + block.width;
            line.above = line.above.max(block.above);
            line.below = line.below.max(block.below);
        }
        lines
    }

    /// What stands before the matrix at `index`.
    fn sign_before(&self, index: usize) -> Option<&str> {
        Some(match self.signs.get(index.checked_sub(1)?)? {
            Sign::Times => "·",
            Sign::Plus => "+",
            Sign::Equals => "=",
            Sign::Words(words) => words,
        })
    }

    fn alt(&self) -> String {
        let parts = self.blocks.iter().enumerate().map(|(index, block)| {
            let sign = match self.sign_before(index) {
                None => String::new(),
                Some("") => "; ".to_owned(),
                Some(sign) => format!(" {sign} "),
            };
            sign + &block.alt(self.decimals)
        });
        parts.collect()
    }
}
