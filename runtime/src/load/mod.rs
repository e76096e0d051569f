//! Loading finds the chunks of a file and checks every record in them.
//!
//! The order matters: header, checksum, chunk frame, then records; each check relies on those before it. Nodes are in
//! pre-order, so one pass with a stack of fixed size proves that every tree is a tree: no cycle, no sharing, no
//! unreachable record, no path deeper than the format allows. After that no query can fail.

mod brushes;
mod entities;
mod fast;
mod floors;
mod links;
mod trees;

use onion_format::{
    AgentRecord, BlockRecord, BoxRecord, BoxesRecord, BrushRecord, CHECKSUM_OFFSET,
    CHUNK_HEADER_SIZE, ChoiceRecord, CornerRecord, DIST_LIMIT, DIST_ONE, EdgeRecord, EntityRecord,
    FaceRecord, Field, FloorCornerRecord, FloorLinksRecord, FloorPlaceRecord, FloorRecord,
    GridRecord, GroupRecord, HEADER_SIZE, HULL_FILLED, HULL_LIMIT, HULL_ONE, HitRecord, HullRecord,
    HullSet, InfoRecord, LENGTH_OFFSET, LinkRecord, MAGIC, MAX_GROUP, MAX_HULLS, MAX_PRISM_SIDES,
    ModelRecord, N_CHUNKS_OFFSET, NORMAL_LENGTH_ERROR, NORMAL_ONE, NodeRecord, OptionsRecord,
    PlaneRecord, PrismRecord, RESERVED_OFFSET, Record, RoomRecord, RootRecord, SideRecord,
    SolidRecord, SurfaceRecord, TextRecord, VERSION, VERSION_OFFSET, unpadded,
};

use crate::error::{LoadError, require};
use crate::file::records::Records;
use crate::file::view::{Chunk, Layout, View};
use crate::math::coordinate::is_whole;
use crate::math::plane::unit_normal;

/// Checks a whole file.
// Many branches: one for each optional chunk and each check that may fail.
pub(crate) fn load(bytes: &[u8]) -> Result<Layout, LoadError> {
    // Header and checksum first: they find nearly all damage by accident. The rules for records hold against bytes
    // that were made up with a right checksum, so none of them relies on it.
    let n_chunks = check_header(bytes)?;
    let mut reader = ChunkReader {
        bytes,
        at: HEADER_SIZE,
        n_chunks: 0,
    };
    let checksum = u64::read(bytes, CHECKSUM_OFFSET);
    let mut layout = Layout {
        n_bytes: bytes.len(),
        checksum,
        // Folded, so that the id of a hull fits into 64 bits; the tags of two files are equal once in 2^32.
        tag: (checksum >> 32) as u32 ^ checksum as u32,
        ..read_trees(&mut reader)?
    };
    // Optional chunks have a fixed order, and those that need each other come together: a look at the next tag decides,
    // and no chunk can come twice.
    if reader.is_next(PrismRecord::TAG) {
        layout.prisms = reader.chunk::<PrismRecord>()?;
    }
    if reader.is_next(FloorRecord::TAG) {
        layout.floors = reader.chunk::<FloorRecord>()?;
        layout.floor_corners = reader.chunk::<FloorCornerRecord>()?;
        layout.floor_places = reader.chunk::<FloorPlaceRecord>()?;
    }
    read_entities(&mut reader, &mut layout)?;
    read_fast(&mut reader, &mut layout)?;
    read_brushes(&mut reader, &mut layout)?;
    if layout.floors != Chunk::default() && reader.is_next(AgentRecord::TAG) {
        layout.agents = reader.chunk::<AgentRecord>()?;
        layout.links_of_floors = reader.chunk::<FloorLinksRecord>()?;
        layout.links = reader.chunk::<LinkRecord>()?;
    }
    // Nothing may be left over: a map has one form, which is compared byte by byte.
    if reader.n_chunks != n_chunks || reader.at != bytes.len() {
        return Err(LoadError::BadChunk(reader.at));
    }

    let view = View::new(bytes, &layout);
    // The counts that the checks below use are those of whole chunks, whatever their records hold.
    require::<InfoRecord>(view.info().len() == 1, 0, "there is one")?;
    entities::check_text::<OptionsRecord>(layout.options.of(bytes))?;
    layout = Layout {
        n_hulls: view.hulls().len(),
        n_groups: view.groups().len(),
        depth: view.info().iter().map(|info| info.depth).sum(),
        ..layout
    };
    let view = View::new(bytes, &layout);
    // Each relies on those before it: sides of prisms on hulls, trees on groups and planes, blocks on trees.
    check_hulls(&view)?;
    check_prisms(&view)?;
    check_groups(&view)?;
    check_planes(&view)?;
    trees::check(&view)?;
    floors::check(&view)?;
    links::check(&view)?;
    entities::check(&view)?;
    fast::check(&view)?;
    brushes::check(&view)?;
    Ok(layout)
}

/// Reads the required chunks.
fn read_trees(reader: &mut ChunkReader<'_>) -> Result<Layout, LoadError> {
    Ok(Layout {
        info: reader.chunk::<InfoRecord>()?,
        options: reader.chunk::<OptionsRecord>()?,
        hulls: reader.chunk::<HullRecord>()?,
        models: reader.chunk::<ModelRecord>()?,
        groups: reader.chunk::<GroupRecord>()?,
        roots: reader.chunk::<RootRecord>()?,
        planes: reader.chunk::<PlaneRecord>()?,
        nodes: reader.chunk::<NodeRecord>()?,
        ..Layout::default()
    })
}

/// Reads the chunks of the entities, if the file has them.
fn read_entities(reader: &mut ChunkReader<'_>, layout: &mut Layout) -> Result<(), LoadError> {
    if reader.is_next(EntityRecord::TAG) {
        layout.entities = reader.chunk::<EntityRecord>()?;
        layout.text = reader.chunk::<TextRecord>()?;
    }
    Ok(())
}

/// Reads the chunks of blocks, if the file has them.
fn read_fast(reader: &mut ChunkReader<'_>, layout: &mut Layout) -> Result<(), LoadError> {
    if reader.is_next(GridRecord::TAG) {
        layout.grids = reader.chunk::<GridRecord>()?;
        layout.blocks = reader.chunk::<BlockRecord>()?;
        layout.rooms = reader.chunk::<RoomRecord>()?;
    }
    Ok(())
}

/// Reads the chunks of brushes, of hit data and of brush shapes, as far as the file has them.
fn read_brushes(reader: &mut ChunkReader<'_>, layout: &mut Layout) -> Result<(), LoadError> {
    if !reader.is_next(SurfaceRecord::TAG) {
        return Ok(());
    }
    layout.surfaces = reader.chunk::<SurfaceRecord>()?;
    layout.brushes = reader.chunk::<BrushRecord>()?;
    layout.sides = reader.chunk::<SideRecord>()?;
    if reader.is_next(HitRecord::TAG) {
        layout.hits = reader.chunk::<HitRecord>()?;
        layout.choices = reader.chunk::<ChoiceRecord>()?;
    }
    if reader.is_next(SolidRecord::TAG) {
        layout.solids = reader.chunk::<SolidRecord>()?;
        layout.faces = reader.chunk::<FaceRecord>()?;
        layout.corners = reader.chunk::<CornerRecord>()?;
        layout.edges = reader.chunk::<EdgeRecord>()?;
        layout.boxes_of_models = reader.chunk::<BoxesRecord>()?;
        layout.boxes = reader.chunk::<BoxRecord>()?;
    }
    Ok(())
}

/// Checks everything before the first chunk and returns the number of chunks.
fn check_header(bytes: &[u8]) -> Result<u64, LoadError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(LoadError::BadMagic);
    }
    if bytes.len() < HEADER_SIZE {
        return Err(LoadError::Truncated(HEADER_SIZE));
    }
    let version = u32::read(bytes, VERSION_OFFSET);
    // Before the length and the checksum, whose places another version may have moved.
    if version != VERSION {
        return Err(LoadError::UnknownVersion(version));
    }
    let length = u64::read(bytes, LENGTH_OFFSET);
    // A file that was cut off would fail its checksum as well, but this error says more.
    if length != bytes.len() as u64 {
        return Err(LoadError::BadLength(length));
    }
    if u64::read(bytes, CHECKSUM_OFFSET) != onion_format::checksum(bytes) {
        return Err(LoadError::BadChecksum);
    }
    // Zero in all files of this version, so that a later one can give it a meaning.
    if u32::read(bytes, RESERVED_OFFSET) != 0 {
        return Err(LoadError::BadHeader(RESERVED_OFFSET));
    }
    Ok(u64::read(bytes, N_CHUNKS_OFFSET))
}

/// Reads the frames of chunks, one after another.
struct ChunkReader<'a> {
    /// The whole file.
    bytes: &'a [u8],
    /// Offset of the next chunk.
    at: usize,
    /// Number of chunks read so far, which the header states for the whole file.
    n_chunks: u64,
}

impl<'a> ChunkReader<'a> {
    /// Whether a chunk with this tag comes next.
    fn is_next(&self, tag: [u8; 4]) -> bool {
        let rest = self.bytes.get(self.at..);
        rest.is_some_and(|rest| rest.starts_with(&tag))
    }

    /// Returns the location of the next chunk's records, which must be of type `R`.
    fn chunk<R: Record>(&mut self) -> Result<Chunk, LoadError> {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or(&[]);
        let Some((header, rest)) = rest.split_at_checked(CHUNK_HEADER_SIZE) else {
            return Err(LoadError::Truncated(start + CHUNK_HEADER_SIZE));
        };
        // The frame repeats the size of a record, so that tools can step over chunks that they do not know.
        if !header.starts_with(&R::TAG) || u32::read(header, 4) as usize != R::SIZE {
            return Err(LoadError::BadChunk(start));
        }
        // Any size may be written there: it is compared with what is left before it is added to anything.
        let n_bytes = usize::try_from(u64::read(header, 8)).ok();
        let Some(n_bytes) = n_bytes.filter(|&n_bytes| n_bytes <= rest.len()) else {
            return Err(LoadError::Truncated(self.bytes.len()));
        };
        if !n_bytes.is_multiple_of(R::SIZE) {
            return Err(LoadError::BadChunk(start));
        }
        let start = start + CHUNK_HEADER_SIZE;
        self.at = start + n_bytes;
        self.n_chunks += 1;
        Ok(Chunk {
            start,
            end: self.at,
        })
    }
}

/// Whether a coordinate of a hull is a multiple of 2^-11 units, with which supports are exact.
fn is_on_grid(units: f32) -> bool {
    is_whole(f64::from(units * HULL_ONE))
}

/// Whether a hull is valid by itself.
fn is_hull(record: &HullRecord) -> bool {
    let name = unpadded(&record.name);
    let padding = &record.name[name.len()..];
    let corners = record.mins.iter().zip(&record.maxs);
    record.flags & !HULL_FILLED == 0
        && !name.is_empty()
        && padding.iter().all(|&byte| byte == 0)
        && core::str::from_utf8(name).is_ok_and(|name| !name.contains(char::is_control))
        // NaN fails this comparison.
        && corners.clone().all(|(mins, maxs)| mins <= maxs)
        && corners
            .flat_map(|(mins, maxs)| [*mins, *maxs])
            .all(|corner| f64::from(corner).abs() <= HULL_LIMIT && is_on_grid(corner))
}

/// Checks the hulls: there are at most 64, so comparing all names with each other takes no time.
fn check_hulls(map: &View<'_>) -> Result<(), LoadError> {
    let hulls = map.hulls();
    let is_count = (1..=MAX_HULLS).contains(&hulls.len());
    require::<HullRecord>(is_count, hulls.len(), "there are 1 to 64")?;
    for (index, record) in hulls.iter().enumerate() {
        let mut earlier = hulls.iter().take(index);
        let is_new = earlier.all(|earlier| earlier.name != record.name);
        require::<HullRecord>(is_new, index, "names are not repeated")?;
        let rule = "it has a name, a box of a size that is allowed, and known flags";
        require::<HullRecord>(is_hull(&record), index, rule)?;
    }
    Ok(())
}

/// Checks the sides of hulls that are prisms: in the order of hulls, and for each hull counterclockwise within half a
/// turn, with the box around them that the hull has.
fn check_prisms(map: &View<'_>) -> Result<(), LoadError> {
    let all = map.prisms();
    let mut before: Option<PrismRecord> = None;
    for (index, side) in all.iter().enumerate() {
        let rule =
            "multiples of 1/2048 unit, counterclockwise from the x axis, in the order of hulls";
        let is_on_grid = side.half.into_iter().all(is_on_grid);
        // Of two opposite sides, the file stores the one whose half points into the upper half-plane. Each prism thus
        // has one form, with its sides in the order of their angles.
        let [x, y] = side.half;
        let is_upper = y > 0.0 || y == 0.0 && x > 0.0;
        let is_next = before.is_none_or(|before| {
            let is_left = before.hull == side.hull && turns_left(before.half, side.half);
            before.hull < side.hull || is_left
        });
        require::<PrismRecord>(is_on_grid && is_upper && is_next, index, rule)?;
        before = Some(side);
    }
    let mut n_sides = 0;
    for (index, hull) in map.hulls().iter().enumerate() {
        let sides = map.prism_of(index);
        if !sides.is_empty() {
            n_sides += sides.len();
            let is_prism = sides.len() <= MAX_PRISM_SIDES && has_box_of(&hull, sides);
            require::<PrismRecord>(is_prism, n_sides - 1, "2 to 16 sides with the hull's box")?;
        }
    }
    // Sides that no hull has taken are those of hulls that do not exist.
    require::<PrismRecord>(n_sides == all.len(), n_sides, "its hull exists")
}

/// Whether a side is counterclockwise of the one before it; the products of hulls' coordinates are exact.
fn turns_left(before: [f32; 2], side: [f32; 2]) -> bool {
    let [[a, b], [c, d]] = [before, side].map(|side| side.map(f64::from));
    a * d > b * c
}

/// Whether the sides of a prism have the hull's box around them, which has a height.
fn has_box_of(hull: &HullRecord, sides: Records<'_, PrismRecord>) -> bool {
    let size = [0, 1, 2].map(|axis| f64::from(hull.maxs[axis]) - f64::from(hull.mins[axis]));
    let extent = |axis: usize| -> f64 {
        let halves = sides.iter().map(|side| f64::from(side.half[axis]).abs());
        2.0 * halves.sum::<f64>()
    };
    // Equal, not nearly equal: sums of multiples of 2^-11 up to 2^13 are exact.
    sides.len() >= 2 && extent(0) == size[0] && extent(1) == size[1] && size[2] > 0.0
}

/// Checks that every hull is in exactly one group, that no group is too large, that groups are ordered by their
/// lowest hulls, and that every model has a root for each group.
fn check_groups(map: &View<'_>) -> Result<(), LoadError> {
    // The hulls that are in no group yet.
    let mut free = map.all_hulls();
    for (index, GroupRecord { hulls }) in map.groups().iter().enumerate() {
        let hulls = HullSet::from_bits(hulls);
        // A group begins with the lowest hull that is left over, so that each grouping has one form.
        let is_free = hulls.without(free).is_empty();
        let is_size = (1..=MAX_GROUP).contains(&hulls.len());
        let is_group = is_free && is_size && hulls.first() == free.first();
        let rule = "1 to 8 hulls of no other group, in the order of the lowest ones";
        require::<GroupRecord>(is_group, index, rule)?;
        free = free.without(hulls);
    }
    let (n_groups, n_roots) = (map.layout.n_groups, map.roots().len());
    require::<GroupRecord>(free.is_empty(), n_groups, "every hull is in one")?;
    let is_complete = map.models().len().checked_mul(n_groups) == Some(n_roots);
    require::<RootRecord>(is_complete, n_roots, "every model has one for each group")
}

/// Whether a plane is valid by itself. A plane has one form: its normal points to the positive side of the first axis
/// that it is not perpendicular to, and `axis` repeats what the normal says, so that readers need not compare.
fn is_plane(plane: &PlaneRecord) -> bool {
    let normal = unit_normal(plane);
    let length = normal
        .iter()
        .map(|component| component * component)
        .sum::<f64>();
    // The error is that of a length, and a square has about twice that.
    let unit = (length - 1.0).abs() <= 2.0 * NORMAL_LENGTH_ERROR;
    let front = normal.iter().find(|&&component| component != 0.0);
    let axis = (0..3).find(|&axis| {
        let mut unit = [0; 3];
        unit[axis] = NORMAL_ONE;
        plane.normal == unit
    });
    // A distance below 2^17 in steps of 2^-36 units has 53 bits, all that an f64 holds.
    unit && front.is_some_and(|&component| component > 0.0)
        && plane.axis == axis.unwrap_or(3) as u32
        && plane.dist.abs() < DIST_LIMIT
        && is_whole(plane.dist * DIST_ONE)
}

/// Checks the planes.
fn check_planes(map: &View<'_>) -> Result<(), LoadError> {
    let rule =
        "a unit normal with a positive first component, its axis, and a distance on the grid";
    map.planes
        .iter()
        .enumerate()
        .try_for_each(|(index, bytes)| {
            require::<PlaneRecord>(is_plane(&PlaneRecord::read(bytes)), index, rule)
        })
}
