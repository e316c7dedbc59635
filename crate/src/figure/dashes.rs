//! Dashed lines as pieces, which plotters does not cut.

/// Cuts a line into dashes of `on` pixels with gaps of `off`.
pub(super) fn dashes(points: &[(f64, f64)], (on, off): (f64, f64)) -> Vec<Vec<(f64, f64)>> {
    let (mut pieces, mut piece) = (Vec::new(), points.first().copied().into_iter().collect::<Vec<_>>());
    let (mut drawing, mut left) = (true, on);
    for pair in points.windows(2) {
        let ((mut x, mut y), (x1, y1)) = (pair[0], pair[1]);
        loop {
            let rest = (x1 - x).hypot(y1 - y);
            if rest <= left {
                left -= rest;
                if drawing {
                    piece.push((x1, y1));
                }
                break;
            }
            (x, y) = (x + (x1 - x) * left / rest, y + (y1 - y) * left / rest);
            if drawing {
                piece.push((x, y));
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![(x, y)];
            }
            (drawing, left) = (!drawing, if drawing { off } else { on });
        }
    }
    if piece.len() > 1 {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_cover_the_line_in_turn() {
        let pieces = dashes(&[(0.0, 0.0), (7.0, 0.0), (10.0, 0.0)], (3.0, 2.0));
        assert_eq!(pieces.len(), 2);
        assert_eq!(pieces[0], [(0.0, 0.0), (3.0, 0.0)]);
        assert_eq!(pieces[1], [(5.0, 0.0), (7.0, 0.0), (8.0, 0.0)]);
    }
}
