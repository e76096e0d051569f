//! Draws pictures of compiled maps. A slice shows the hulls for which space is solid, in bands of color, and the
//! surfaces beyond the slice. A projection shows the whole map from one side. The default picture shows the floors
//! where agents walk, from above. The runtime answers every pixel, and the same file and options give the same bytes on
//! every machine.

mod canvas;
mod eye;
mod frame;
mod ground;
mod marks;
mod paint;
mod palette;
mod relief;
mod sheet;
mod solids;
mod view;

use std::cmp::Reverse;

use glam::DVec3;
use onion_runtime::{Hull, HullId, OnionMap};

use canvas::Canvas;
use eye::Eye;
use ground::FloorPlan;
use relief::Relief;
use sheet::Sheet;
use solids::Solids;
pub use view::{Sight, View};

use crate::boxes;
use crate::marked_entities::{self, MarkedEntity};
use crate::node_costs::NodeCosts;
use crate::walls::Wall;
use onion_geometry::Bounds;

/// The smallest and the largest picture, in pixels.
pub const SIZES: [usize; 2] = [640, 4096];

/// Default maximum number of pixels in each direction.
pub const USUAL_SIZE: usize = 1400;

/// Distances in front of and behind a cut, in units, within which hidden entities are drawn faintly.
const NEAR_CUT: [f64; 2] = [96.0, 160.0];

/// The subject of a picture.
#[derive(Clone, Debug)]
pub enum Subject {
    /// The floors where agents walk, from above.
    Floors,
    /// A cut at a coordinate of the axis of sight.
    Slice(Sight, f64),
    /// The whole map from one side.
    Projection(Sight),
}

/// The options of a picture.
#[derive(Clone, Debug)]
pub struct PictureOptions {
    /// The subject.
    pub subject: Subject,
    /// Maximum number of pixels in each direction.
    pub size: usize,
    /// The hull that is shown; `None` if all are.
    pub hull: Option<HullId>,
    /// Whether to color by the costs of brushes.
    pub costs: bool,
    /// Whether to draw the floors of the file, and the links between them.
    pub floors: bool,
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
    /// The part of the world behind the pixels of the map.
    pub view: View,
    /// The upper left pixel of the map.
    pub corner: [usize; 2],
    /// Number of entities that are seen, and number of those that are faint because something hides them.
    pub n_marks: [usize; 2],
}

/// Draws a map; a slice shows the differences between the largest hull shown and the same hull in a file before, if one
/// is given. `walls` are the map's brushes, as far as they are known.
///
/// # Errors
/// The picture cannot be encoded.
pub fn draw<D: AsRef<[u8]> + Sync>(
    map: &OnionMap<D>,
    before: Option<&OnionMap<D>>,
    walls: &[Wall],
    options: &PictureOptions,
) -> Result<Picture, png::EncodingError> {
    let hulls = hulls_from_largest(map, options);
    let marks = marked_entities::reached(map);
    let places: Vec<DVec3> = marks.iter().map(MarkedEntity::middle).collect();
    let eyes = hulls.iter().map(|hull| match options.subject {
        Subject::Floors => Eye::above(map, hull, &places),
        _ => Eye::outside(hull),
    });
    let eyes: Vec<Eye> = eyes.collect();
    let view = view(map, &eyes, options, before.is_some());
    let heat = NodeCosts::of_file(map).filter(|_| options.costs);
    let ids: Vec<HullId> = hulls.iter().map(|hull| hull.id).collect();
    let mut solids = match view.cut {
        Some(_) => Solids::cut(map, &ids, walls, &view),
        None => Solids::behind(map, &eyes, &view),
    };
    let old = before.and_then(|before| Some((before, before.find_hull(hulls[0].name)?)));
    if let Some((before, hull)) = old.filter(|_| view.cut.is_some()) {
        // Without walls: a difference counts where the hull moves, not where a brush is drawn.
        let now = Solids::cut(map, &ids[..1], &[], &view);
        solids.mark_changes(&now, &Solids::cut(before, &[hull], &[], &view));
    }
    let relief = Relief::look(map, &eyes[0], heat.as_ref(), &view);
    let agent = f64::from(hulls[0].bounds.size()[2]);
    let sheet = Sheet {
        title: &options.title,
        hulls: &hulls,
        marks: drawn(map, &eyes[0], &view, agent, marks),
        heat: heat.as_ref(),
        ground: options.floors.then(|| FloorPlan::new(map, &hulls, &view)),
        codes: solids.codes(),
    };
    let canvas = compose(&view, &solids, &relief, &sheet);
    Ok(Picture {
        png: canvas.png()?,
        size: [canvas.width, canvas.height],
        view,
        corner: [sheet::LEFT, sheet::TOP],
        n_marks: [true, false].map(|is| sheet.marks.iter().filter(|(_, seen)| *seen == is).count()),
    })
}

/// Returns the entities in the frame of a picture, each with whether it is visible. Hidden ones far from a cut are left
/// out.
fn drawn<D: AsRef<[u8]>>(
    map: &OnionMap<D>,
    eye: &Eye,
    view: &View,
    agent: f64,
    marks: Vec<MarkedEntity>,
) -> Vec<(MarkedEntity, bool)> {
    let inside = marks.into_iter().filter(|mark| {
        let [x, y] = view.pixel(mark.middle());
        x >= 0.0 && y >= 0.0 && x < view.size[0] as f64 && y < view.size[1] as f64
    });
    let drawn = inside.map(|mark| {
        let is_seen = marks::is_seen(&mark, map, eye, view, agent);
        (mark, is_seen)
    });
    let is_near = |mark: &MarkedEntity| {
        let near = -NEAR_CUT[0]..=NEAR_CUT[1];
        view.cut.is_none() || near.contains(&view.depth_of(mark.middle()))
    };
    let shown = drawn.filter(|(mark, is_seen)| *is_seen || is_near(mark));
    shown.collect()
}

/// Returns the hulls of a map, the one with the largest box first, or the one that the options choose. Where floors are
/// shown, points are left out, because they do not walk.
fn hulls_from_largest<'a, D: AsRef<[u8]>>(
    map: &'a OnionMap<D>,
    options: &PictureOptions,
) -> Vec<Hull<'a>> {
    let is_shown = |hull: &Hull<'_>| options.hull.is_none_or(|only| only == hull.id);
    let mut hulls: Vec<_> = map.hulls().filter(is_shown).collect();
    let is_box = |hull: &Hull<'_>| hull.bounds.mins != hull.bounds.maxs;
    if matches!(options.subject, Subject::Floors) && hulls.iter().any(is_box) {
        hulls.retain(is_box);
    }
    let volume = |hull: &Hull<'_>| {
        let Bounds { mins, maxs } = boxes::of_hull(hull);
        // With a unit more on each axis, flat hulls and points have an order, too.
        (maxs - mins + 1.0).element_product()
    };
    hulls.sort_by(|one, other| volume(other).total_cmp(&volume(one)));
    hulls
}

/// Returns the part of the map that a picture shows, as large as its size allows.
fn view<D: AsRef<[u8]> + Sync>(
    map: &OnionMap<D>,
    eyes: &[Eye],
    options: &PictureOptions,
    is_change: bool,
) -> View {
    let bounds = boxes::of_model(&map.world());
    let (sight, cut) = match options.subject {
        Subject::Floors => (Sight::Top, None),
        Subject::Slice(sight, at) => (sight, Some(at)),
        Subject::Projection(sight) => (sight, None),
    };
    let around = [sheet::LEFT + sheet::RIGHT, sheet::TOP + sheet::BOTTOM];
    let most = around.map(|around| options.size - around);
    let of = |bounds| View::new(sight, cut, bounds, most, sheet::MIN_HEIGHT.min(most[1]));
    // Changes may be in any space, and so may space that only the smallest hull reaches.
    if is_change {
        of(bounds)
    } else {
        of(eyes.iter().fold(Bounds::NONE, |all, eye| {
            all.union(frame::frame(map, eye, &of(bounds), bounds))
        }))
    }
}

/// Puts the map on a sheet.
fn compose(view: &View, solids: &Solids, relief: &Relief, sheet: &Sheet<'_>) -> Canvas {
    let [width, height] = view.size;
    let mut canvas = Canvas::new(
        sheet::LEFT + width + sheet::RIGHT,
        sheet::TOP + height.max(sheet::MIN_HEIGHT) + sheet::BOTTOM,
        palette::PAPER,
    );
    let mut painted = Canvas::new(width, height, palette::PAPER);
    painted.pixels = paint::paint(view, solids, relief, sheet.hulls.len());
    if let Some(ground) = &sheet.ground {
        ground.draw(&mut painted);
    }
    for (y, row) in painted.pixels.chunks(width).enumerate() {
        let first = (sheet::TOP + y) * canvas.width + sheet::LEFT;
        canvas.pixels[first..first + width].copy_from_slice(row);
    }
    sheet::coordinates(&mut canvas, view);
    draw_marks(&mut canvas, view, &sheet.marks);
    sheet::scale_bar(&mut canvas, view);
    sheet.title(&mut canvas, view);
    sheet.legend(&mut canvas, view, relief);
    canvas
}

/// Draws the marks of entities: faint ones below others, starts above items.
fn draw_marks(canvas: &mut Canvas, view: &View, marks: &[(MarkedEntity, bool)]) {
    let mut marks: Vec<_> = marks.iter().collect();
    marks.sort_by_key(|(mark, is_seen)| (*is_seen, Reverse(mark.kind)));
    for (mark, is_seen) in marks {
        let [x, y] = view.pixel(mark.middle());
        let turn = mark.angle * std::f64::consts::PI / 180.0;
        let toward = [libm::cos(turn), -libm::sin(turn)];
        let toward = (view.sight == Sight::Top).then_some(toward);
        let at = [x + sheet::LEFT as f64, y + sheet::TOP as f64];
        marks::draw(canvas, mark.kind, at, toward, !is_seen);
    }
}
