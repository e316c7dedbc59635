//! `stepper`: prepared figures behind buttons, one shown at a time.
//!
//! The buttons are radio buttons and a style sheet, so that they need no script. Each stepper is a form of its own: its
//! buttons belong to each other and to no other stepper of the page, even an equal one, without any id. Where a page drops
//! the style sheet, every figure is seen below its label; so it is where the page disables the buttons but another stepper has
//! brought the style sheet.

use super::canvas::{Anchor, INK, LABEL, Type, paint};
use super::words::{fitted, largest, width_of};
use super::{Draw, Figure, GAP, PAD, Picture, joined};
use crate::display::escape;

/// More buttons than this are no choice any more.
const MOST_FRAMES: usize = 24;
/// Height of a caption, and the length beyond which it is cut, in a picture of all frames.
const CAPTION: f64 = 22.0;
const LONGEST: f64 = 600.0;

/// The `:has` of a browser that lacks it would hide every frame: such a browser shows them in sequence.
const STYLE: &str = "@supports selector(:has(*)){\
    .d2l-stepper:has(:enabled){display:flex;flex-wrap:wrap;gap:6px;margin:0;padding:4px;color-scheme:light}\
    .d2l-stepper:has(:enabled)>label{padding:3px 10px 3px 6px;border:1px solid #57606a;border-radius:4px;\
    background:#fff;color:#1f2328;font:13px sans-serif;cursor:pointer}\
    .d2l-stepper:has(:enabled)>label:has(:checked){background:#dbe9f6;border-color:#0969da;\
    box-shadow:inset 0 0 0 1px #0969da}\
    .d2l-stepper:has(:enabled)>label:has(:focus-visible){outline:3px solid #0969da;outline-offset:1px}\
    .d2l-stepper:has(:enabled)>div{display:none;order:1;flex:0 0 100%}\
    .d2l-stepper:has(:enabled)>label:has(:checked)+div{display:block}}";

/// Prepared figures with their labels; [`stepper`] makes it.
#[derive(Clone, Debug)]
pub struct Stepper {
    frames: Vec<(String, Picture)>,
}

/// Shows one of several prepared figures at a time, with a button for each.
///
/// The buttons work with the mouse and with the keyboard (Tab to them, then the arrow keys), in JupyterLab and VS Code,
/// wherever a notebook's outputs are trusted. Elsewhere, as in a preview of the file, all figures are seen one below the
/// other, each after its label; so they are in [`svg`](Figure::svg), [`save`](Figure::save) and the alternative text.
///
/// # Panics
/// If there are no figures, or more than 24.
///
/// ```
/// use d2l::prelude::*;
///
/// let weights = |scale: f64| softmax(&array![[0.0, scale, 2.0 * scale]]);
/// let figure = stepper([0.1, 1.0, 5.0].map(|scale| (format!("× {scale}"), show_heatmaps(&weights(scale), "keys", ""))));
/// assert!(figure.html().contains("× 0.1</label>"));
/// ```
#[track_caller]
pub fn stepper<T: AsRef<str>, K: Draw>(frames: impl IntoIterator<Item = (T, Figure<K>)>) -> Figure<Stepper> {
    let frames: Vec<_> =
        frames.into_iter().map(|(label, figure)| (label.as_ref().to_owned(), figure.picture())).collect();
    check_frames(frames.len());
    Figure::new(Stepper { frames })
}

#[track_caller]
fn check_frames(count: usize) {
    assert!((1..=MOST_FRAMES).contains(&count), "a stepper has 1 to {MOST_FRAMES} figures, not {count}");
}

impl Figure<Stepper> {
    /// One more figure, of any kind.
    ///
    /// # Panics
    /// If there are 24 already.
    #[track_caller]
    pub fn step<K: Draw>(mut self, label: &str, figure: &Figure<K>) -> Self {
        check_frames(self.kind.frames.len() + 1);
        self.kind.frames.push((label.to_owned(), figure.picture()));
        self
    }
}

impl Draw for Stepper {
    /// All figures, one below the other, each after its label.
    fn draw(&self) -> Picture {
        let (mut parts, mut top) = (Vec::new(), 0.0);
        for (label, frame) in &self.frames {
            let caption = caption(label);
            let height = caption.height;
            parts.push((0.0, top, caption));
            parts.push((0.0, top + height, frame.clone()));
            top += height + frame.height + GAP;
        }
        let width = largest(parts.iter().map(|(_, _, part)| part.width));
        let alt = self.frames.iter().map(|(label, frame)| format!("{label}: {}", frame.alt)).collect::<Vec<_>>();
        Picture { alt: alt.join(" | "), ..joined(width, top - GAP, &parts) }
    }

    fn html(&self, _: &Picture, sentence: &str) -> String {
        // Frames of one size, so that the page below does not jump.
        let most = |of: fn(&Picture) -> f64| largest(self.frames.iter().map(|(_, frame)| of(frame)));
        let (width, height) = (most(|frame| frame.width), most(|frame| frame.height));
        let frames = self.frames.iter().enumerate().map(|(index, (label, frame))| {
            let checked = if index == 0 { " checked=\"\"" } else { "" };
            let picture = Picture { alt: frame.alt.clone(), ..joined(width, height, &[(0.0, 0.0, frame.clone())]) };
            format!(
                "<label><input type=\"radio\" name=\"d2l-step\" data-lm-suppress-shortcuts=\"true\"{checked}/> {}</label>\
                 <div>{}</div>",
                escape(label),
                picture.html()
            )
        });
        // JupyterLab takes the arrow keys for itself unless the element in focus asks it not to. Sent by Enter, a form of
        // the method "dialog" goes nowhere.
        format!(
            "<form class=\"d2l-stepper\" method=\"dialog\" aria-label=\"{}\">\
             <style>{STYLE}</style>{}</form>",
            escape(sentence),
            frames.collect::<String>()
        )
    }
}

fn caption(label: &str) -> Picture {
    let short = fitted(label, LABEL, LONGEST);
    let width = width_of(&short, LABEL) + 2.0 * PAD;
    paint(width, CAPTION, label.to_owned(), &mut |canvas| {
        canvas.text(PAD, PAD + LABEL / 2.0, &short, Type::new(LABEL, INK, Anchor::Start).bold());
    })
}
