//! What a screenshot shows.

/// The part of a screenshot that a figure takes, as RGB.
pub struct Picture {
    pub pixels: Vec<[u8; 3]>,
    width: usize,
}

/// A part of the window in pixels.
pub struct Place {
    pub left: usize,
    pub top: usize,
    pub width: usize,
    pub height: usize,
}

impl Picture {
    /// Cuts the place out of a screenshot.
    pub fn cut(png: &[u8], place: &Place) -> Result<Self, String> {
        let failed = |error: png::DecodingError| format!("the screenshot cannot be read: {error}");
        let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(failed)?;
        let mut bytes = vec![0; reader.output_buffer_size().ok_or("the screenshot is too large")?];
        let info = reader.next_frame(&mut bytes).map_err(failed)?;
        let (width, height) = (info.width as usize, info.height as usize);
        if place.left + place.width > width || place.top + place.height > height {
            return Err("the figure lies outside the window".into());
        }
        let samples = info.color_type.samples();
        let mut pixels = Vec::with_capacity(place.width * place.height);
        for y in place.top..place.top + place.height {
            let row = &bytes[(y * width + place.left) * samples..][..place.width * samples];
            pixels.extend(row.chunks_exact(samples).map(|pixel| [pixel[0], pixel[1], pixel[2]]));
        }
        Ok(Self { pixels, width: place.width })
    }

    /// Nothing if the corners are one light colour and there is text-like ink on it; else what is wrong.
    pub fn unreadable(&self) -> Option<String> {
        let (first, last) = (self.pixels[0], self.pixels[self.pixels.len() - 1]);
        let corners = [first, self.pixels[self.width - 1], self.pixels[self.pixels.len() - self.width], last];
        if corners.iter().any(|corner| *corner != first) {
            return Some(format!("its corners differ: {corners:?}"));
        }
        let ground = luminance(first);
        if ground < 0.8 {
            return Some(format!("its ground {first:?} is not light"));
        }
        let inked = self.pixels.iter().filter(|pixel| (ground + 0.05) / (luminance(**pixel) + 0.05) >= 4.5).count();
        (inked < 100).then(|| format!("only {inked} pixels stand out from its ground by 4.5:1"))
    }
}

/// Relative luminance, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance.
fn luminance(rgb: [u8; 3]) -> f64 {
    let linear = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2])
}
