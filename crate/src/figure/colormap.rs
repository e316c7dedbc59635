//! Colour maps: ColorBrewer's stops, joined by straight lines and cut into 256 levels as matplotlib does.

/// Red, green and blue from 0 to 255.
pub(super) type Rgb = [u8; 3];

/// Levels of a map, as in matplotlib.
const LEVELS: usize = 256;

/// A named sequence of colours from the lowest value to the highest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Colormap {
    name: &'static str,
    stops: &'static [u32],
}

/// ColorBrewer 2.0 by Cynthia Brewer, Pennsylvania State University (Apache License 2.0).
const MAPS: [Colormap; 6] = [
    Colormap {
        name: "Reds",
        stops: &[0xfff5f0, 0xfee0d2, 0xfcbba1, 0xfc9272, 0xfb6a4a, 0xef3b2c, 0xcb181d, 0xa50f15, 0x67000d],
    },
    Colormap {
        name: "Blues",
        stops: &[0xf7fbff, 0xdeebf7, 0xc6dbef, 0x9ecae1, 0x6baed6, 0x4292c6, 0x2171b5, 0x08519c, 0x08306b],
    },
    Colormap {
        name: "Greens",
        stops: &[0xf7fcf5, 0xe5f5e0, 0xc7e9c0, 0xa1d99b, 0x74c476, 0x41ab5d, 0x238b45, 0x006d2c, 0x00441b],
    },
    Colormap {
        name: "Purples",
        stops: &[0xfcfbfd, 0xefedf5, 0xdadaeb, 0xbcbddc, 0x9e9ac8, 0x807dba, 0x6a51a3, 0x54278f, 0x3f007d],
    },
    Colormap {
        name: "Greys",
        stops: &[0xffffff, 0xf0f0f0, 0xd9d9d9, 0xbdbdbd, 0x969696, 0x737373, 0x525252, 0x252525, 0x000000],
    },
    Colormap {
        name: "RdBu",
        stops: &[
            0x67001f, 0xb2182b, 0xd6604d, 0xf4a582, 0xfddbc7, 0xf7f7f7, 0xd1e5f0, 0x92c5de, 0x4393c3, 0x2166ac,
            0x053061,
        ],
    },
];

impl Colormap {
    /// The map called `name`.
    #[track_caller]
    pub fn named(name: &str) -> Self {
        // Not in a closure, which would be named as the place of the mistake.
        let Some(map) = MAPS.into_iter().find(|map| map.name == name) else {
            let names = MAPS.map(|map| map.name).join(", ");
            panic!("there is no colour map \"{name}\": choose one of {names}");
        };
        map
    }

    /// The colour of `t`, 0 for the lowest value and 1 for the highest.
    pub fn color(&self, t: f64) -> Rgb {
        let level = ((t * LEVELS as f64) as usize).min(LEVELS - 1);
        let place = level as f64 / (LEVELS - 1) as f64 * (self.stops.len() - 1) as f64;
        let stop = (place as usize).min(self.stops.len() - 2);
        let (low, high) = (self.stops[stop], self.stops[stop + 1]);
        [16, 8, 0].map(|shift| {
            let (a, b) = ((low >> shift & 0xff) as f64, (high >> shift & 0xff) as f64);
            (a + (b - a) * (place - stop as f64)).round() as u8
        })
    }
}

/// Relative luminance from 0 (black) to 1 (white), as the Web Content Accessibility Guidelines define it.
pub(super) fn luminance(color: Rgb) -> f64 {
    let [r, g, b] = color.map(|c| {
        let c = c as f64 / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// Contrast of two colours, from 1 to 21.
pub(super) fn contrast(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Black or white, whichever reads better on `ground`: never under 4.5:1.
pub(super) fn readable_on(ground: Rgb) -> Rgb {
    let (black, white) = ([0; 3], [255; 3]);
    if contrast(black, ground) >= contrast(white, ground) { black } else { white }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_matplotlibs_within_one() {
        let tables = include_str!("../../tests/reference/colormaps.txt");
        let mut compared = 0;
        for line in tables.lines().filter(|line| !line.starts_with('#')) {
            let (name, colors) = line.split_once(' ').unwrap();
            let map = Colormap::named(name);
            for (level, wanted) in colors.split(' ').enumerate() {
                let wanted = u32::from_str_radix(wanted, 16).unwrap();
                let ours = map.color((level as f64 + 0.5) / LEVELS as f64);
                for (channel, shift) in [16, 8, 0].into_iter().enumerate() {
                    let theirs = (wanted >> shift & 0xff) as i32;
                    assert!((ours[channel] as i32 - theirs).abs() <= 1, "{name} level {level}: {ours:?}, {wanted:06x}");
                }
                compared += 1;
            }
        }
        assert_eq!(compared, MAPS.len() * LEVELS);
    }

    #[test]
    fn numbers_read_on_every_color() {
        for map in MAPS {
            for level in 0..LEVELS {
                let ground = map.color(level as f64 / LEVELS as f64);
                assert!(contrast(readable_on(ground), ground) >= 4.5, "{} {level}", map.name);
            }
        }
    }

    #[test]
    #[should_panic(expected = "there is no colour map \"Pinks\": choose one of Reds")]
    fn unknown_map_names_the_known_ones() {
        Colormap::named("Pinks");
    }
}
