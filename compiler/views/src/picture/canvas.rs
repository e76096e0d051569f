//! A canvas of colored pixels: shapes drawn by their distance from each pixel, so that all edges are smooth, then
//! letters, and finally the bytes of a PNG file. It uses only sums, products and roots, which are the same on every
//! machine.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};

/// A color, as red, green and blue.
pub type Color = [u8; 3];

/// Pixels, row by row from the top.
#[derive(Clone, Debug)]
pub struct Canvas {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    pub pixels: Vec<Color>,
}

/// A size and weight of text.
#[derive(Clone, Copy, Debug)]
pub enum Font {
    /// For labels.
    Small,
    /// For labels that stand out.
    Bold,
    /// For titles.
    Title,
}

impl Font {
    /// Returns the weight and the height in pixels.
    fn parts(self) -> (FontWeight, RasterHeight) {
        match self {
            Self::Small => (FontWeight::Regular, RasterHeight::Size16),
            Self::Bold => (FontWeight::Bold, RasterHeight::Size16),
            Self::Title => (FontWeight::Bold, RasterHeight::Size24),
        }
    }

    /// Returns the width of a text in pixels.
    pub fn width(self, text: &str) -> f64 {
        let (weight, height) = self.parts();
        (text.chars().count() * get_raster_width(weight, height)) as f64
    }
}

/// Mixes two colors: `from` where `part` is 0, `to` where it is 1.
pub fn mix(from: Color, to: Color, part: f64) -> Color {
    let part = part.clamp(0.0, 1.0);
    std::array::from_fn(|k| {
        let [from, to] = [from, to].map(|color| f64::from(color[k]));
        (from + (to - from) * part + 0.5) as u8
    })
}

impl Canvas {
    pub fn new(width: usize, height: usize, color: Color) -> Self {
        Self {
            width,
            height,
            pixels: vec![color; width * height],
        }
    }

    /// Blends a color into a pixel; `cover` is the covered fraction of the pixel, from 0 to 1.
    pub fn blend(&mut self, x: usize, y: usize, color: Color, cover: f64) {
        if x < self.width
            && let Some(pixel) = self.pixels.get_mut(y * self.width + x)
        {
            *pixel = mix(*pixel, color, cover);
        }
    }

    /// Paints a shape: `distance` returns the distance of a point from the shape, where the point is relative to the
    /// center.
    pub fn shape(
        &mut self,
        [x, y]: [f64; 2],
        reach: f64,
        color: Color,
        opacity: f64,
        distance: impl Fn(f64, f64) -> f64,
    ) {
        let range = |center: f64, end: usize| {
            // One pixel more on each side, because pixels at an edge are covered in part.
            let from = (center - reach - 1.0).clamp(0.0, end as f64) as usize;
            from..(center + reach + 2.0).clamp(0.0, end as f64) as usize
        };
        for row in range(y, self.height) {
            for column in range(x, self.width) {
                let outside = distance(column as f64 + 0.5 - x, row as f64 + 0.5 - y);
                let cover = (0.5 - outside).clamp(0.0, 1.0) * opacity;
                self.blend(column, row, color, cover);
            }
        }
    }

    /// Fills a rectangle, given its corner at the left and top and its size in pixels. Its edges are smooth where they
    /// divide pixels.
    pub fn rectangle(&mut self, [x, y]: [f64; 2], size: [f64; 2], color: Color, opacity: f64) {
        let half = size.map(|size| size / 2.0);
        let center = [x + half[0], y + half[1]];
        self.shape(center, half[0].max(half[1]), color, opacity, |x, y| {
            (x.abs() - half[0]).max(y.abs() - half[1])
        });
    }

    /// Paints the outline of a rectangle, inside of it.
    pub fn frame(&mut self, at: [f64; 2], size: [f64; 2], width: f64, color: Color) {
        let [x, y] = at;
        self.rectangle(at, [size[0], width], color, 1.0);
        self.rectangle([x, y + size[1] - width], [size[0], width], color, 1.0);
        self.rectangle(at, [width, size[1]], color, 1.0);
        self.rectangle([x + size[0] - width, y], [width, size[1]], color, 1.0);
    }

    /// Paints a line with round ends.
    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], width: f64, color: Color) {
        let center = [0, 1].map(|k| (from[k] + to[k]) / 2.0);
        let half = [0, 1].map(|k| (to[k] - from[k]) / 2.0);
        // Above zero, so that a line from a point to itself is a dot.
        let square = (half[0] * half[0] + half[1] * half[1]).max(f64::MIN_POSITIVE);
        let reach = square.sqrt() + width;
        self.shape(center, reach, color, 1.0, |x, y| {
            let along = ((x * half[0] + y * half[1]) / square).clamp(-1.0, 1.0);
            let [x, y] = [x - along * half[0], y - along * half[1]];
            (x * x + y * y).sqrt() - width / 2.0
        });
    }

    /// Writes a text whose upper left corner is given.
    pub fn text(&mut self, [x, y]: [f64; 2], font: Font, color: Color, text: &str) {
        let (weight, height) = font.parts();
        let (mut x, y) = (x.round(), y.round());
        for letter in text.chars() {
            // A question mark replaces a letter that the font lacks.
            let drawn = get_raster(letter, weight, height);
            let drawn = drawn.or_else(|| get_raster('?', weight, height));
            let rows = drawn.iter().flat_map(|letter| letter.rows());
            for (row, covers) in rows.enumerate() {
                for (column, &cover) in covers.iter().enumerate() {
                    let [x, y] = [x + column as f64, y + row as f64];
                    if x >= 0.0 && y >= 0.0 {
                        self.blend(x as usize, y as usize, color, f64::from(cover) / 255.0);
                    }
                }
            }
            x += get_raster_width(weight, height) as f64;
        }
    }

    /// Returns the bytes of a PNG file.
    pub fn png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::Adaptive);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()?;
        Ok(bytes)
    }
}
