//! Keeps what is drawn inside the axes: places run from 0 to 1 on both.

type Point = (f64, f64);

/// The part of the segment inside the unit square (Liang and Barsky, 1984).
fn segment((x0, y0): Point, (x1, y1): Point) -> Option<(Point, Point)> {
    let (dx, dy) = (x1 - x0, y1 - y0);
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for (toward, room) in [(-dx, x0), (dx, 1.0 - x0), (-dy, y0), (dy, 1.0 - y0)] {
        if toward == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if toward < 0.0 {
            enter = enter.max(room / toward);
        } else {
            leave = leave.min(room / toward);
        }
    }
    // Ends stay what they are, so that the next segment is seen to begin there; rounding may put a cut just outside.
    let cut = |share: f64| {
        let (x, y) = if share == 1.0 { (x1, y1) } else { (x0 + dx * share, y0 + dy * share) };
        (x.clamp(0.0, 1.0), y.clamp(0.0, 1.0))
    };
    (enter <= leave).then(|| (cut(enter), cut(leave)))
}

/// The runs of a line inside the unit square. `None` among the points is a gap.
pub(super) fn line(points: &[Option<Point>]) -> Vec<Vec<Point>> {
    let mut runs: Vec<Vec<Point>> = Vec::new();
    let mut open = false;
    for pair in points.windows(2) {
        let inside = pair[0].zip(pair[1]).and_then(|(a, b)| segment(a, b));
        let Some((from, to)) = inside else {
            open = false;
            continue;
        };
        if !open || runs.last().and_then(|run| run.last()) != Some(&from) {
            runs.push(vec![from]);
        }
        runs.last_mut().expect("a run was just begun").push(to);
        open = true;
    }
    runs
}

/// The points of a line that no line reaches: both neighbours are gaps.
pub(super) fn alone(points: &[Option<Point>]) -> impl Iterator<Item = Point> {
    let gap = |place: Option<usize>| place.and_then(|place| points.get(place).copied()).flatten().is_none();
    let lonely = move |&place: &usize| gap(place.checked_sub(1)) && gap(Some(place + 1));
    (0..points.len()).filter(lonely).filter_map(|place| points[place])
}

/// The part of an area inside the unit square (Sutherland and Hodgman, 1974).
pub(super) fn area(corners: &[Point]) -> Vec<Point> {
    let depth: [fn(Point) -> f64; 4] = [|(x, _)| x, |(x, _)| 1.0 - x, |(_, y)| y, |(_, y)| 1.0 - y];
    let mut inside = corners.to_vec();
    for depth in depth {
        let mut kept = Vec::with_capacity(inside.len() + 2);
        for (index, &to) in inside.iter().enumerate() {
            let from = inside[(index + inside.len() - 1) % inside.len()];
            let (before, after) = (depth(from), depth(to));
            if (before < 0.0) != (after < 0.0) {
                let share = before / (before - after);
                kept.push((from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share));
            }
            if after >= 0.0 {
                kept.push(to);
            }
        }
        inside = kept;
    }
    for (x, y) in &mut inside {
        (*x, *y) = (x.clamp(0.0, 1.0), y.clamp(0.0, 1.0));
    }
    inside
}

/// The line without points that lie within a quarter of a pixel of the one before.
pub(super) fn spaced(pixels: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for (index, &(x, y)) in pixels.iter().enumerate() {
        let near = kept.last().is_some_and(|last| (last.0 - x).hypot(last.1 - y) < 0.25);
        if !near || index + 1 == pixels.len() {
            kept.push((x, y));
        }
    }
    kept
}

/// At most four points for each of `columns` columns of pixels: the first, the lowest, the highest and the last.
pub(super) fn thinned(run: &[Point], columns: f64) -> Vec<Point> {
    let column = |point: &Point| (point.0 * columns).floor();
    let mut kept = Vec::new();
    for stretch in run.chunk_by(|a, b| column(a) == column(b)) {
        if stretch.len() <= 4 {
            kept.extend(stretch);
            continue;
        }
        let by_height = |a: &usize, b: &usize| stretch[*a].1.total_cmp(&stretch[*b].1);
        let mut places = vec![0, stretch.len() - 1];
        places.extend((0..stretch.len()).min_by(by_height));
        places.extend((0..stretch.len()).max_by(by_height));
        places.sort_unstable();
        places.dedup();
        kept.extend(places.into_iter().map(|place| stretch[place]));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_at_the_edges_and_broken_at_gaps() {
        let points = [Some((-1.0, 0.5)), Some((0.5, 0.5)), Some((0.5, 2.0)), None, Some((0.1, 0.1)), Some((0.2, 0.2))];
        let runs = line(&points);
        assert_eq!(runs, [vec![(0.0, 0.5), (0.5, 0.5), (0.5, 1.0)], vec![(0.1, 0.1), (0.2, 0.2)]]);
        assert!(line(&[Some((-1.0, 2.0)), Some((2.0, 2.0))]).is_empty());
        assert!(line(&[Some((0.5, 0.5))]).is_empty());
        let far = line(&[Some((-1e100, 0.3)), Some((1e100, 0.3))]).concat();
        assert!(!far.is_empty() && far.iter().all(|&(x, y)| (0.0..=1.0).contains(&x) && y == 0.3), "{far:?}");
        let steps: Vec<_> = (0..=1000).map(|i| Some((i as f64 / 1000.0, (i as f64 * 0.37).sin().abs()))).collect();
        assert_eq!(line(&steps).len(), 1);
        assert_eq!(alone(&points).count(), 0);
        assert_eq!(alone(&[None, Some((0.5, 0.5)), None, Some((0.7, 0.5))]).count(), 2);
    }

    #[test]
    fn an_area_is_cut_at_the_edges() {
        let cut = area(&[(-1.0, -1.0), (2.0, -1.0), (2.0, 2.0), (-1.0, 2.0)]);
        assert_eq!(cut.len(), 4);
        assert!(cut.iter().all(|&(x, y)| [0.0, 1.0].contains(&x) && [0.0, 1.0].contains(&y)));
        assert!(area(&[(2.0, 2.0), (3.0, 2.0), (3.0, 3.0)]).is_empty());
    }

    #[test]
    fn thinning_keeps_the_extremes() {
        let run: Vec<Point> = (0..10_000).map(|i| (i as f64 / 10_000.0, ((i * 7919) % 10_007) as f64)).collect();
        let few = thinned(&run, 100.0);
        assert!(few.len() <= 400);
        let highest = |points: &[Point]| points.iter().fold(0.0f64, |most, point| most.max(point.1));
        assert_eq!(highest(&few), highest(&run));
    }
}
