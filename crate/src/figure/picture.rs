//! Pixels as a PNG inside an SVG (Portable Network Graphics, ISO/IEC 15948).
//!
//! Written here and not taken from a crate, because the usual encoder brings eight more crates into every notebook's
//! first cell; the compression, which is the hard part, does come from a crate.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::colormap::Rgb;

const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];
const INDEXED: u8 = 3;
const TRUE_COLOR: u8 = 2;
const COMPRESSION: u8 = 6;

/// Encodes `pixels`, row by row from the top, as a picture `width` pixels wide.
pub(super) fn png(width: usize, pixels: &[Rgb]) -> Vec<u8> {
    let height = pixels.len() / width;
    debug_assert_eq!(width * height, pixels.len());
    let palette = palette_of(pixels);
    let mut rows = Vec::with_capacity(pixels.len() + height);
    for row in pixels.chunks(width) {
        rows.push(0); // each row begins with its filter: none
        match &palette {
            Some((_, index)) => rows.extend(row.iter().map(|color| index[color])),
            None => rows.extend(row.iter().flatten()),
        }
    }
    let kind = if palette.is_some() { INDEXED } else { TRUE_COLOR };
    let mut header = Vec::from((width as u32).to_be_bytes());
    header.extend((height as u32).to_be_bytes());
    header.extend([8, kind, 0, 0, 0]); // eight bits a sample; compression, filter and interlace by default

    let mut file = Vec::from(SIGNATURE);
    chunk(&mut file, b"IHDR", &header);
    if let Some((colors, _)) = &palette {
        chunk(&mut file, b"PLTE", colors.as_flattened());
    }
    chunk(&mut file, b"IDAT", &miniz_oxide::deflate::compress_to_vec_zlib(&rows, COMPRESSION));
    chunk(&mut file, b"IEND", &[]);
    file
}

/// The distinct colours and the index of each, where a byte can hold it.
fn palette_of(pixels: &[Rgb]) -> Option<(Vec<Rgb>, HashMap<Rgb, u8>)> {
    let (mut colors, mut index) = (Vec::new(), HashMap::new());
    for &color in pixels {
        if let Entry::Vacant(place) = index.entry(color) {
            place.insert(u8::try_from(colors.len()).ok()?);
            colors.push(color);
        }
    }
    Some((colors, index))
}

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], content: &[u8]) {
    file.extend((content.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(content);
    let checksum = checksum(&file[start..]);
    file.extend(checksum.to_be_bytes());
}

/// The cyclic redundancy check of 32 bits that ends each chunk (annex D of the standard).
fn checksum(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0xedb8_8320;
    let step = |rest: u32, _| (rest >> 1) ^ if rest & 1 == 1 { POLYNOMIAL } else { 0 };
    !bytes.iter().fold(u32::MAX, |rest, &byte| (0..8).fold(rest ^ u32::from(byte), step))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a picture back with the usual decoder.
    fn decoded(file: &[u8]) -> (usize, Vec<Rgb>) {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgb);
        (info.width as usize, bytes.chunks(3).map(|c| [c[0], c[1], c[2]]).collect())
    }

    #[test]
    fn few_and_many_colors_come_back() {
        let few: Vec<Rgb> = (0..35).map(|i| [i % 3, 7, 9]).collect();
        assert_eq!(decoded(&super::png(7, &few)), (7, few));
        let many: Vec<Rgb> = (0..1000u32).map(|i| [(i % 256) as u8, (i / 256) as u8, 1]).collect();
        assert_eq!(decoded(&super::png(40, &many)), (40, many));
    }
}
