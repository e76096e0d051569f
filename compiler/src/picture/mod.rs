//! Pictures of compiled maps: a slice shows, in bands of color, for which hulls space is solid, and what lies beyond
//! the slice; a projection shows the whole map from one side. The runtime answers every pixel, and the same file and
//! options make the same bytes on every machine.

mod canvas;
mod choose;
mod marks;
mod paint;
mod palette;
mod relief;
mod sheet;
mod solids;
mod view;

use onion_runtime::{Hull, HullId, OnionMap};

use canvas::Canvas;
use glam::DVec3;
use marks::{Kind, Mark};
use relief::Relief;
use sheet::Sheet;
use solids::Solids;
pub use view::{Sight, View};

use crate::geometry::Bounds;
use crate::heat::Heat;
use crate::walls::Wall;

/// The smallest and the largest picture, in pixels.
pub const SIZES: [usize; 2] = [640, 4096];

/// Most pixels each way unless somebody says otherwise.
pub const USUAL_SIZE: usize = 1400;

/// How far before and behind a cut entities are drawn, in units.
const NEAR_CUT: [f64; 2] = [96.0, 160.0];

/// What to show.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A cut where most is to be seen.
    Best,
    /// A cut at a coordinate of the axis of sight.
    Slice(Sight, f64),
    /// All from one side.
    Projection(Sight),
}

/// How to show it.
#[derive(Clone, Debug)]
pub struct PictureOptions {
    /// What to show.
    pub subject: Subject,
    /// Most pixels each way.
    pub size: usize,
    /// The hull that is shown, if not all are.
    pub hull: Option<HullId>,
    /// Whether to color by what brushes cost.
    pub costs: bool,
    /// The name of the map.
    pub title: String,
}

/// A picture.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The bytes of a PNG file.
    pub png: Vec<u8>,
    /// Its width and height in pixels.
    pub size: [usize; 2],
    /// What of the world is behind the pixels of the map.
    pub view: View,
    /// The upper left pixel of the map.
    pub corner: [usize; 2],
}

/// Draws a map. `walls` are its brushes, as far as they are known.
///
/// # Errors
/// The picture cannot be encoded.
pub fn draw<D: AsRef<[u8]> + Sync>(
    map: &OnionMap<D>,
    walls: &[Wall],
    options: &PictureOptions,
) -> Result<Picture, png::EncodingError> {
    draw_with(map, None, walls, options)
}

/// Draws a slice of a map, and in it what of the largest hull shown was not as it is in a file before.
///
/// # Errors
/// The picture cannot be encoded.
pub fn draw_change<D: AsRef<[u8]> + Sync>(
    map: &OnionMap<D>,
    before: &OnionMap<D>,
    walls: &[Wall],
    options: &PictureOptions,
) -> Result<Picture, png::EncodingError> {
    draw_with(map, Some(before), walls, options)
}

fn draw_with<D: AsRef<[u8]> + Sync>(
    map: &OnionMap<D>,
    before: Option<&OnionMap<D>>,
    walls: &[Wall],
    options: &PictureOptions,
) -> Result<Picture, png::EncodingError> {
    let hulls = hulls_from_largest(map, options.hull);
    let ids: Vec<HullId> = hulls.iter().map(|hull| hull.id).collect();
    let marks = marks::of_file(map);
    let view = view(map, ids[0], &marks, options, before.is_some());
    let heat = Heat::of_file(map).filter(|_| options.costs);
    let mut solids = match view.cut {
        Some(_) => Solids::cut(map, &ids, walls, &view),
        None => Solids::free(&view),
    };
    let old = before.and_then(|before| Some((before, before.find_hull(hulls[0].name)?)));
    if let Some((before, hull)) = old {
        let now = Solids::cut(map, &ids[..1], &[], &view);
        solids.mark_changes(&now, &Solids::cut(before, &[hull], &[], &view));
    }
    let relief = Relief::look(map, ids[0], heat.as_ref(), &view);
    let sheet = Sheet {
        title: &options.title,
        hulls: &hulls,
        marks: &marks,
        heat: heat.as_ref(),
        has_walls: solids.has(solids::WALL),
        has_doors: solids.has(solids::DOOR_WALL),
        changes: [solids::GAINED, solids::LOST].map(|change| solids.has(change)),
    };
    let canvas = compose(&view, &solids, &relief, &sheet);
    Ok(Picture {
        png: canvas.png()?,
        size: [canvas.width, canvas.height],
        view,
        corner: [sheet::LEFT, sheet::TOP],
    })
}

/// The hulls of a map, the largest box first, or one of them.
fn hulls_from_largest<D: AsRef<[u8]>>(map: &OnionMap<D>, only: Option<HullId>) -> Vec<Hull<'_>> {
    let mut hulls: Vec<_> = map
        .hulls()
        .filter(|hull| only.is_none_or(|only| only == hull.id))
        .collect();
    let volume = |hull: &Hull<'_>| {
        let extents = [0, 1, 2].map(|k| f64::from(hull.maxs[k] - hull.mins[k]) + 1.0);
        extents.iter().product::<f64>()
    };
    hulls.sort_by(|one, other| volume(other).total_cmp(&volume(one)));
    hulls
}

fn view<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    hull: HullId,
    marks: &[Mark],
    options: &PictureOptions,
    is_change: bool,
) -> View {
    let (mins, maxs) = map.world().bounds();
    let [mins, maxs] = [mins, maxs].map(|corner| DVec3::from_array(corner.map(f64::from)));
    let bounds = Bounds { mins, maxs };
    let (sight, cut) = match options.subject {
        Subject::Best => (Sight::Top, Some(choose::height(map, hull, marks, bounds))),
        Subject::Slice(sight, at) => (sight, Some(at)),
        Subject::Projection(sight) => (sight, None),
    };
    // What changed may be anywhere.
    let bounds = match cut.filter(|_| !is_change) {
        Some(at) => choose::frame(map, hull, (sight, at), bounds),
        None => bounds,
    };
    let most = [
        options.size - sheet::LEFT - sheet::RIGHT,
        options.size - sheet::TOP - sheet::BOTTOM,
    ];
    View::new(sight, cut, bounds, most, sheet::LEAST_HEIGHT.min(most[1]))
}

/// Puts the map on a sheet.
fn compose(view: &View, solids: &Solids, relief: &Relief, sheet: &Sheet<'_>) -> Canvas {
    let [width, height] = view.size;
    let mut canvas = Canvas::new(
        sheet::LEFT + width + sheet::RIGHT,
        sheet::TOP + height.max(sheet::LEAST_HEIGHT) + sheet::BOTTOM,
        palette::PAPER,
    );
    let pixels = paint::paint(view, solids, relief, sheet.hulls.len());
    for (y, row) in pixels.chunks(width).enumerate() {
        let first = (sheet::TOP + y) * canvas.width + sheet::LEFT;
        canvas.pixels[first..first + width].copy_from_slice(row);
    }
    sheet::coordinates(&mut canvas, view);
    draw_marks(&mut canvas, view, sheet.marks);
    sheet::scale_bar(&mut canvas, view);
    sheet.title(&mut canvas, view);
    sheet.legend(&mut canvas, view, relief);
    canvas
}

/// Marks the entities near the cut, or all; starts go over items.
fn draw_marks(canvas: &mut Canvas, view: &View, marks: &[Mark]) {
    let is_near = |mark: &&Mark| {
        let depth = view.depth_of(mark.place);
        view.cut.is_none() || (-NEAR_CUT[0]..=NEAR_CUT[1]).contains(&depth)
    };
    for kind in [Kind::Other, Kind::Item, Kind::Start] {
        for mark in marks
            .iter()
            .filter(|mark| mark.kind == kind)
            .filter(is_near)
        {
            let [x, y] = view.pixel(mark.place);
            let inside = x >= 0.0 && y >= 0.0 && x < view.size[0] as f64 && y < view.size[1] as f64;
            let turn = mark.angle * std::f64::consts::PI / 180.0;
            let toward = [libm::cos(turn), -libm::sin(turn)];
            let toward = (view.sight == Sight::Top).then_some(toward);
            if inside {
                let at = [x + sheet::LEFT as f64, y + sheet::TOP as f64];
                marks::draw(canvas, kind, at, toward);
            }
        }
    }
}
