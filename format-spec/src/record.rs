//! The records of a file, each declared once: its tag and its fields in file order with their meaning, units and
//! ranges. The struct, its size, its reader and writer, and the table of fields that `FORMAT.md` is checked against
//! all follow from that declaration.

use crate::field::{Field, FieldSpec, Record};
use crate::{MAX_HULL_NAME, MAX_HULLS, MAX_SURFACE_NAME};

macro_rules! record {
    ($(#[$doc:meta])* $record:ident $tag:literal {
        $($(#[$field_doc:meta])* $field:ident: $kind:ty,)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $record {
            $($(#[$field_doc])* pub $field: $kind,)*
        }

        impl $record {
            /// Tag of the chunk.
            pub const TAG: [u8; 4] = *$tag;
            /// Size of one record in bytes.
            pub const SIZE: usize = 0 $(+ <$kind as Field>::SIZE)*;
        }

        impl Record for $record {
            const TAG: [u8; 4] = Self::TAG;
            const SIZE: usize = Self::SIZE;

            fn fields() -> impl Iterator<Item = FieldSpec> {
                let fields = [$((stringify!($field), <$kind as Field>::SIZE, <$kind as Field>::TYPE)),*];
                fields.into_iter().scan(0, |end, (name, size, kind)| {
                    let offset = *end;
                    *end += size;
                    Some(FieldSpec { name, offset, kind })
                })
            }

            #[inline]
            fn read(bytes: &[u8]) -> Self {
                let mut end = 0;
                $(
                    let $field = <$kind as Field>::read(bytes, end);
                    end += <$kind as Field>::SIZE;
                )*
                debug_assert_eq!(end, Self::SIZE);
                Self { $($field),* }
            }

            fn write(&self, bytes: &mut [u8]) {
                let mut end = 0;
                $(
                    self.$field.write(bytes, end);
                    end += <$kind as Field>::SIZE;
                )*
                debug_assert_eq!(end, Self::SIZE);
            }
        }
    };
}

record! {
    /// Where the file comes from and what the compiler proved; one record.
    InfoRecord b"INFO" {
        /// Pairs of leaf and hull that the audit proved to be wholly solid or wholly empty: all of them.
        leaf_hulls: u64,
        /// Nodes on the longest path from any root to a leaf, at most 256.
        depth: u32,
        /// How far the pieces that stand for curved surfaces may be from them, in units, above 0.
        patch_error: f32,
        /// BLAKE3 hash of the map file that was compiled.
        map_digest: [u8; 32],
    }
}

record! {
    /// A byte of a text in UTF-8 that all records form together: the compiler's name and version in the
    /// first line, then the options of the compile but for the hulls, one command-line argument a line.
    OptionsRecord b"OPTS" {
        /// The byte.
        byte: u8,
    }
}

record! {
    /// A hull: a named box that is traced as a point; 1 to 64 records.
    HullRecord b"HULL" {
        /// Name in UTF-8 without control characters, padded with zero bytes; not empty and not repeated.
        name: [u8; MAX_HULL_NAME],
        /// Lower corner of the box, relative to the agent's origin, in units.
        mins: [f32; 3],
        /// Upper corner of the box, relative to the agent's origin, in units.
        maxs: [f32; 3],
        /// Contents that block this hull: bits of [`contents`](crate::contents).
        contents: u32,
        /// Bit 0 is set when what the hull cannot reach is solid in the world; other bits are 0.
        flags: u32,
    }
}

record! {
    /// A pair of opposite sides of an upright prism; a hull that has such records is a prism in place of its box.
    PrismRecord b"PRSM" {
        /// Number of the hull.
        hull: u32,
        /// Half of the side, as a vector in the xy plane, in units.
        half: [f32; 2],
    }
}

record! {
    /// A floor: a convex polygon where a hull's origin is when the hull stands in the world. The floors of a hull are a
    /// balanced tree: the one in the middle of a range has the box around all floors of the range.
    FloorRecord b"FLOR" {
        /// Number of the plane in bits 0 to 29. Bit 31 is set when the floor faces the plane's back.
        plane: u32,
        /// Its hull and its first corner, see [`hull`](Self::hull) and [`first_corner`](Self::first_corner). Floors are
        /// in the order of hulls. Its corners, at least 3, end where those of the next floor begin.
        begins: u32,
        /// Lower corner of the box around all floors of the range that it is in the middle of, in units.
        mins: [f32; 3],
        /// Upper corner of that box, in units.
        maxs: [f32; 3],
    }
}

record! {
    /// A corner of a floor, counterclockwise as seen from above.
    FloorCornerRecord b"FCOR" {
        /// Number of its place; places are in the order in which corners first have them.
        place: u32,
    }
}

record! {
    /// A place that corners of floors have in common.
    FloorPlaceRecord b"FPLC" {
        /// Its x and y, rounded to f64, in units; the z of a corner is that of the floor's plane there.
        at: [f64; 2],
    }
}

record! {
    /// A class of agents: the hulls that are its stances, and how it moves.
    AgentRecord b"AGNT" {
        /// Name in UTF-8 without control characters, padded with zero bytes; not empty and not repeated.
        name: [u8; MAX_HULL_NAME],
        /// Bit `h` is set when hull `h` is one of its stances; no hull is a stance of two classes.
        hulls: u64,
        /// Horizontal speed at which it runs, in units per second, above 0.
        speed: f32,
        /// Height of the highest step that it walks up, in units, 0 or more.
        step: f32,
        /// Height that it can jump, in units, 0 or more.
        jump: f32,
        /// Greatest height that it may fall, in units, 0 or more.
        drop: f32,
        /// Least vertical component of the unit normal of ground that it stands on, above 0 and at most 1.
        min_ground_z: f32,
        /// Downward acceleration in the air, in units per second squared, above 0.
        gravity: f32,
        /// Speed at which it swims, in units per second; 0 if it does not swim.
        swim: f32,
        /// Speed at which it climbs ladders, in units per second; 0 if it does not climb.
        climb: f32,
    }
}

record! {
    /// The links that leave the floor with the same number.
    FloorLinksRecord b"FLNK" {
        /// Number of the first one. They end where those of the next floor begin.
        first: u32,
    }
}

record! {
    /// A link: a way from one floor to another that an agent of the floors' class has taken in this map. Agents leave
    /// on a part of an edge.
    LinkRecord b"LINK" {
        /// The floor that it leads to, its kind and its turns: see [`to`](Self::to), [`kind`](Self::kind) and
        /// [`turns`](Self::turns).
        leads: u32,
        /// Where the part begins and ends, in parts of 1/65535 of the edge.
        part: [u16; 2],
        /// Number of the edge, which begins at the corner with this number: of the floor that the link leads to if
        /// agents stand up, otherwise of the floor that they leave.
        edge: u16,
        /// Length of the way across the edge, as seen from above at a right angle, in parts of 1/16 unit; 0 if they
        /// walk.
        across: u16,
    }
}

record! {
    /// A model with a tree of its own; record 0 is the world.
    ModelRecord b"MODL" {
        /// Number of the entity that shows the model, or 2^32 - 1.
        entity: u32,
        /// Lower corner of the model's brushes, not expanded, in units of the model's space.
        mins: [f32; 3],
        /// Upper corner of the model's brushes, not expanded, in units of the model's space.
        maxs: [f32; 3],
        /// Where the entity puts the model's origin in the world, in units.
        origin: [f32; 3],
    }
}

record! {
    /// A group of at most 8 hulls that share one tree in each model. Every hull is in exactly
    /// one group, and groups stand in the order of their lowest hulls.
    GroupRecord b"GRUP" {
        /// Bit `h` is set when hull `h` is in the group.
        hulls: u64,
    }
}

record! {
    /// The root of a tree, model after model and in each model group after group.
    RootRecord b"ROOT" {
        /// Number of the tree's first node. Bit 31 is set when the tree is a leaf instead; then bit `r` is set
        /// when it is solid for the hull of rank `r`.
        root: u32,
    }
}

record! {
    /// A plane: points with `dot(normal, p) - dist` above 0 are in front.
    PlaneRecord b"PLAN" {
        /// Unit normal in units of 2^-30; its first component that is not zero is positive.
        normal: [i32; 3],
        /// 0, 1 or 2 when the normal is exactly the x, y or z axis, otherwise 3.
        axis: u32,
        /// Distance from the origin along the normal, in units; a multiple of 2^-36.
        dist: f64,
    }
}

record! {
    /// A node: splits its cell by a plane. Nodes stand in pre-order, the front child's first. The rank of a hull
    /// is the number of hulls of its group that have lower numbers.
    NodeRecord b"NODE" {
        /// The plane's unit normal, as the plane has it, in units of 2^-30.
        normal: [i32; 3],
        /// Number of the plane in bits 0 to 29. Bit 30 is set when some brush has a face in the
        /// plane here that faces the front, bit 31 when one faces the back.
        plane: u32,
        /// The plane's distance from the origin, as the plane has it, in units.
        dist: f64,
        /// Number of the back child in bits 0 to 29, or 0 if that is a leaf. Bit 30 is set when the back child is a
        /// leaf, bit 31 when the front child is one; otherwise the front child is the next node.
        back: u32,
        /// For the front and back child: bit `r` is set when all of it is solid, or empty, for the hull of rank
        /// `r`. All hulls of the group have theirs for a leaf.
        resolved: [u8; 2],
        /// Bit `r` is set when it is solid; no bit is set that is not set in `resolved`.
        solid: [u8; 2],
    }
}

record! {
    /// An entity of the map; its keys and values are in `TEXT`.
    EntityRecord b"ENTS" {
        /// Byte of `TEXT` at which its keys and values begin; they end where those of the next entity begin.
        first: u32,
    }
}

record! {
    /// A byte of the keys and values of all entities: for each entity key, value, key, value and so on, each
    /// of them UTF-8 that ends with a zero byte.
    TextRecord b"TEXT" {
        /// The byte.
        byte: u8,
    }
}

record! {
    /// The grid of a hull's blocks in a model: model after model, and in each model hull after hull.
    GridRecord b"GRID" {
        /// Lower corner, in units; multiples of 1/64.
        origin: [f32; 3],
        /// Edge of a block, in units; a power of two.
        size: f32,
        /// Number of blocks along each axis, at least 1.
        counts: [u32; 3],
        /// Number of its first block; they follow those of the grid before.
        first: u32,
        /// Number of its first room; they follow those of the grid before.
        first_room: u32,
        /// What is outside of the grid: empty or solid as in `BLCK`, or 0 where neither is known.
        outside: u32,
    }
}

record! {
    /// A block: x runs fastest, then y.
    BlockRecord b"BLCK" {
        /// Where the hull's walks begin in it: the number of a node whose cell holds all of it, or 2^31 where all of
        /// it is empty, or 2^31 + 1 where it is solid.
        start: u32,
        /// How many blocks beyond this one have the same start, all of those in the box that this makes: 5 bits for
        /// each side, the lowest for lower x, then higher x, lower y, higher y, lower z, higher z.
        reach: u32,
        /// Numbers of two rooms among those of the grid, for walks that start in the block; or 65535.
        rooms: [u16; 2],
    }
}

record! {
    /// A box that is empty for the grid's hull, 1/64 unit around it too. A side is a wall where all of it, moved
    /// outward by 1/64 unit, lies in a plane behind which it is solid to a depth of 1/64 unit.
    RoomRecord b"ROOM" {
        /// Lower corner, in units; a multiple of 1/64.
        mins: [f32; 3],
        /// Upper corner, in units; a multiple of 1/64.
        maxs: [f32; 3],
        /// For each side, in the order of `reach`, the number of its plane if it is a wall; otherwise 2^32 - 1.
        walls: [u32; 6],
    }
}

record! {
    /// What a side looks like and is made of: a texture or shader of the map.
    SurfaceRecord b"SURF" {
        /// Name as in the map, of any bytes, padded with zero bytes; a longer one is cut.
        name: [u8; MAX_SURFACE_NAME],
        /// Surface flags as in the map.
        flags: u32,
        /// Contents as in the map.
        contents: u32,
    }
}

record! {
    /// A brush of the map, or a piece that stands for a part of a patch, not expanded.
    /// Those of a model stand together, models in their order.
    BrushRecord b"BRSH" {
        /// Number of its model.
        model: u32,
        /// 0 for a brush, 1 for a piece of a patch.
        kind: u32,
        /// Number of the brush or of the patch's surface in the map.
        number: u32,
        /// What it is made of: bits of [`contents`](crate::contents); not 0.
        contents: u32,
        /// Number of its first side; its sides follow those of the brush before.
        first_side: u32,
    }
}

record! {
    /// A side of a brush: the index of its surface and of the side in the map. Equal sides of a brush are stored once.
    SideRecord b"SIDE" {
        /// Number of its surface.
        surface: u32,
        /// Number of the side in its brush in the map; 0 for patches.
        number: u32,
    }
}

record! {
    /// What is hit at a node: one record for each node.
    HitRecord b"HITS" {
        /// A side, a choice or nothing, as [`HitAt`](crate::HitAt) packs them.
        hit: u32,
    }
}

record! {
    /// A test with two outcomes, where it depends on the place or the trace which side is hit at a node.
    ChoiceRecord b"CHOI" {
        /// The test, as [`HitTest`](crate::HitTest) packs it.
        test: u32,
        /// The hits for its first and its second outcome, packed as in `HITS`. A choice among them has a lower number
        /// than this one, so that every chain of choices ends.
        hits: [u32; 2],
    }
}

record! {
    /// Sides, corners and edges of a brush, one record for each brush.
    SolidRecord b"SOLI" {
        /// Number of its first face; its faces and bevels follow those of the brush before.
        first_face: u32,
        /// Number of its faces, at least 4.
        n_faces: u32,
        /// Number of its bevels, which follow.
        n_bevels: u32,
        /// Number of its first corner; its corners follow those of the brush before.
        first_corner: u32,
        /// Number of its corners, at least 4.
        n_corners: u32,
        /// Number of its first edge; its edges follow those of the brush before.
        first_edge: u32,
        /// Number of its edges, at least 6.
        n_edges: u32,
    }
}

record! {
    /// The plane of a face of a brush, or a bevel, which touches it in an edge or a corner. The
    /// brush is behind all of them.
    FaceRecord b"FACE" {
        /// Number of the plane in bits 0 to 29. Bit 31 is set when the face points to the plane's back.
        plane: u32,
        /// Number of its side; a bevel's is that of the face it belongs to.
        side: u32,
    }
}

record! {
    /// A corner of a brush.
    CornerRecord b"CORN" {
        /// Its position, rounded to f64, in units of the model's space.
        position: [f64; 3],
    }
}

record! {
    /// An edge of a brush.
    EdgeRecord b"EDGE" {
        /// Its corners, counted from the first of the brush.
        corners: [u32; 2],
        /// The two faces that meet in it, counted from the first of the brush.
        faces: [u32; 2],
    }
}

record! {
    /// The boxes around a model's brushes, one record for each model.
    BoxesRecord b"BOXM" {
        /// Number of the model's first box, the root; they follow those of the model before.
        first: u32,
        /// Number of its boxes: one less than twice its brushes, or 0.
        n_boxes: u32,
    }
}

record! {
    /// A box of a binary tree around a model's brushes, in pre-order.
    BoxRecord b"BOXN" {
        /// Lower corner, in units of the model's space.
        mins: [f32; 3],
        /// Upper corner.
        maxs: [f32; 3],
        /// 0 for a leaf; otherwise the number of the second child, the first one being next.
        second: u32,
        /// Number of the brush of a leaf; otherwise 0.
        brush: u32,
    }
}

const _: () = assert!(MAX_HULLS == u64::BITS as usize);
