//! Figures as documents: what their SVG says is where, in which colour, and what happens to hostile input.

mod arrows;
mod bars;
mod heatmaps;
mod heatmaps_colors;
mod heatmaps_edge;
mod matrices;
mod mechanism;
mod null_space;
mod plots;
mod properties;
mod shown;
mod stepper;
mod sublayer;
mod svg;
mod table;

/// Labels that break careless drawing: markup, quotes, emoji, other scripts, control characters, nothing, too much.
fn hostile_labels() -> Vec<String> {
    let labels = [
        "<script>alert(1)</script>",
        "a & b &amp; c",
        "\"double\" and 'single'",
        "🦀👩‍🔬🇱🇹",
        "ĄČĘĖĮŠŲŪŽ ąčęėįšųūž",
        "Ґрунт, єдність, їжак",
        "two\nlines\r\n\ttab",
        "EVCXR_END_CONTENT\nEVCXR_END_CONTENT\nEVCXR_BEGIN_CONTENT text/html",
        "\u{0}\u{1b}[31m\u{7f}\u{85}\u{2028}\u{fffe}\u{ffff}",
        "gl\u{202e}aukštas\u{2067}pyn\u{200f}",
        "]]> --> <!-- </svg></title>",
        "",
        "   ",
    ];
    labels.into_iter().map(str::to_owned).chain(["ilga žymė ".repeat(50), "W".repeat(500), "🦀".repeat(500)]).collect()
}

/// The panic's message.
fn refused(draw: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let payload = std::panic::catch_unwind(draw).expect_err("a mistake was accepted");
    let words = payload.downcast_ref::<String>().cloned();
    words.or_else(|| payload.downcast_ref::<&str>().map(|words| (*words).to_owned())).expect("a panic has words")
}
