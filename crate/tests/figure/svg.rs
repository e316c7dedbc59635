//! A figure's SVG, parsed and measured.

use roxmltree::{Document, Node};

/// Widest guess at a letter relative to the font size; emoji may be twice as wide.
const LETTER: f64 = 0.62;

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Area {
    pub fn middle(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    fn within(&self, other: &Area, slack: f64) -> bool {
        self.x >= other.x - slack
            && self.y >= other.y - slack
            && self.x + self.width <= other.x + other.width + slack
            && self.y + self.height <= other.y + other.height + slack
    }
}

/// A filled shape and the words under the pointer.
#[derive(Clone, Debug)]
pub struct Cell {
    pub area: Area,
    pub fill: String,
    pub tip: String,
}

#[derive(Clone, Debug)]
pub struct Text {
    pub x: f64,
    pub y: f64,
    pub words: String,
    pub fill: String,
    pub upright: bool,
    /// Where the words stand, by a generous guess at their width.
    pub area: Area,
}

/// Everything that is drawn, in pixels of the figure.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    pub width: f64,
    pub height: f64,
    pub label: String,
    pub cells: Vec<Cell>,
    pub fills: Vec<Cell>,
    pub texts: Vec<Text>,
    pub images: Vec<(Area, Vec<u8>)>,
    pub lines: Vec<Vec<(f64, f64)>>,
    pub tips: Vec<String>,
}

impl Drawing {
    /// Parses `svg` and checks what holds for every figure: well formed, finite, no script, all words inside.
    #[track_caller]
    pub fn of(svg: &str) -> Self {
        let document = Document::parse(svg).unwrap_or_else(|error| panic!("{error} in {svg}"));
        let root = document.root_element();
        assert_eq!(root.tag_name().name(), "svg");
        let view = numbers(root.attribute("viewBox").unwrap());
        let [width, height] = ["width", "height"].map(|name| number(root, name));
        let mut drawing =
            Self { width, height, label: root.attribute("aria-label").unwrap().to_owned(), ..Self::default() };
        drawing.read(root, (0.0, 0.0), width / view[2]);
        let page = Area { x: 0.0, y: 0.0, width, height };
        for text in &drawing.texts {
            assert!(text.area.within(&page, 1.0), "{text:?} is outside of {width} x {height}");
        }
        let cells = drawing.cells.iter().chain(&drawing.fills).map(|cell| cell.area);
        for area in cells.chain(drawing.images.iter().map(|image| image.0)) {
            assert!(area.within(&page, 0.2), "{area:?} is outside of {width} x {height}");
        }
        for (x, y) in drawing.lines.iter().flatten() {
            assert!((-2.0..=width + 2.0).contains(x) && (-2.0..=height + 2.0).contains(y), "({x}, {y}) is outside");
        }
        drawing
    }

    fn read(&mut self, parent: Node, (left, top): (f64, f64), scale: f64) {
        for node in parent.children().filter(Node::is_element) {
            let area = |names: [&str; 4]| {
                let [x, y, width, height] = names.map(|name| number(node, name));
                Area { x: left + x * scale, y: top + y * scale, width: width * scale, height: height * scale }
            };
            let fill = node.attribute("fill").unwrap_or_default().to_lowercase();
            let tip = node.children().find(|child| child.has_tag_name("title")).and_then(|title| title.text());
            match node.tag_name().name() {
                "g" => self.read(node, (left, top), scale),
                "svg" => {
                    let part = area(["x", "y", "width", "height"]);
                    let view = numbers(node.attribute("viewBox").unwrap());
                    self.read(node, (part.x, part.y), part.width / view[2]);
                }
                "rect" if node.attribute("width") == Some("100%") => (),
                "rect" => {
                    area(["x", "y", "width", "height"]);
                    self.tips.extend(tip.map(str::to_owned));
                }
                "path" if node.attribute("d").unwrap().contains('L') => {
                    let path = numbers(node.attribute("d").unwrap());
                    let lines = path.chunks_exact(4).map(|line| [(line[0], line[1]), (line[2], line[3])]);
                    self.lines
                        .extend(lines.map(|line| line.map(|(x, y)| (left + x * scale, top + y * scale)).to_vec()));
                }
                "path" => {
                    let path = numbers(node.attribute("d").unwrap());
                    let [x0, y0, x1, y1] = [path[0], path[1], path[2], path[3]].map(|v| v * scale);
                    let area = Area { x: left + x0, y: top + y0, width: x1 - x0, height: y1 - y0 };
                    let cell = Cell { area, fill, tip: tip.unwrap_or_default().to_owned() };
                    if tip.is_some() { self.cells.push(cell) } else { self.fills.push(cell) }
                }
                "image" => {
                    let uri = node.attribute("href").unwrap();
                    self.images.push((area(["x", "y", "width", "height"]), decoded(uri, "image/png")));
                }
                "text" => self.texts.push(text(node, (left, top), scale)),
                "polyline" | "polygon" => {
                    let points = numbers(node.attribute("points").unwrap());
                    let points = points.chunks_exact(2).map(|p| (left + p[0] * scale, top + p[1] * scale));
                    self.lines.push(points.collect());
                }
                "line" => {
                    let [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map(|name| number(node, name) * scale);
                    self.lines.push(vec![(left + x1, top + y1), (left + x2, top + y2)]);
                }
                "circle" => {
                    let [x, y, _] = ["cx", "cy", "r"].map(|name| number(node, name) * scale);
                    self.lines.push(vec![(left + x, top + y)]);
                }
                other => panic!("a figure has no <{other}>"),
            }
        }
    }

    pub fn words(&self) -> Vec<&str> {
        self.texts.iter().map(|text| text.words.as_str()).collect()
    }

    #[track_caller]
    pub fn text(&self, words: &str) -> &Text {
        self.texts.iter().find(|text| text.words == words).unwrap_or_else(|| panic!("no {words} in {:?}", self.words()))
    }
}

fn text(node: Node, (left, top): (f64, f64), scale: f64) -> Text {
    let words = node.text().unwrap_or_default().trim().to_owned();
    assert!(!words.chars().any(char::is_control), "{words:?}");
    let [x, y, size] = ["x", "y", "font-size"].map(|name| number(node, name) * scale);
    let letters = words.chars().map(|c| if c as u32 >= 0x2e80 { 2.0 } else { 1.0 }).sum::<f64>();
    let length = letters * LETTER * size;
    let upright = node.attribute("transform").is_some_and(|turn| turn.starts_with("rotate(270"));
    let before = match node.attribute("text-anchor") {
        Some("middle") => length / 2.0,
        Some("end") => length,
        _ => 0.0,
    };
    // plotters writes the baseline: the letters' middle is a third of their size above it.
    let (x, y) = (left + x, top + y);
    let area = if upright {
        Area { x: x - size / 2.0, y: y - (length - before), width: size, height: length }
    } else {
        Area { x: x - before, y: y - size / 2.0, width: length, height: size }
    };
    let fill = node.attribute("fill").unwrap_or_default().to_lowercase();
    Text { x, y, words, fill, upright, area }
}

#[track_caller]
fn number(node: Node, name: &str) -> f64 {
    let text = node.attribute(name).unwrap_or_else(|| panic!("{node:?} has no {name}"));
    let value: f64 = text.parse().unwrap_or_else(|_| panic!("{name} is {text}"));
    assert!(value.is_finite(), "{name} is {text}");
    value
}

#[track_caller]
fn numbers(text: &str) -> Vec<f64> {
    let separated = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | 'M' | 'L' | 'H' | 'V' | 'z'));
    let numbers: Vec<f64> = separated.filter(|part| !part.is_empty()).map(|part| part.parse().unwrap()).collect();
    assert!(numbers.iter().all(|value| value.is_finite()), "{text}");
    numbers
}

/// The content of a data URI.
#[track_caller]
pub fn decoded(uri: &str, kind: &str) -> Vec<u8> {
    use base64::Engine as _;
    let content = uri.strip_prefix(&format!("data:{kind};base64,")).unwrap_or_else(|| panic!("{uri}"));
    base64::engine::general_purpose::STANDARD.decode(content).unwrap()
}

/// Width, height and pixels (three bytes each) of a PNG.
pub fn pixels(png: &[u8]) -> (usize, usize, Vec<[u8; 3]>) {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    (info.width as usize, info.height as usize, bytes.chunks(3).map(|c| [c[0], c[1], c[2]]).collect())
}

/// Red, green and blue of `#rrggbb`.
pub fn rgb(hex: &str) -> [u8; 3] {
    let value = u32::from_str_radix(hex.strip_prefix('#').unwrap(), 16).unwrap();
    [16, 8, 0].map(|shift| (value >> shift & 0xff) as u8)
}
