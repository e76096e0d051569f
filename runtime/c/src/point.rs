//! Points: whether they are solid, for one hull or for all, for one point or many; and the leaves that
//! contain them. Coordinates come in as floats or doubles of the model's space.

use onion_runtime::{Coordinate, HullSet};

use crate::pointer::{In, MapIn, ModelHandle, Out, Place};
use crate::precision::{PointIn, export_in_both_precisions};
use crate::status::Status;

/// `ONION_NO_LEAF`: the leaf of a point that is in none.
pub const NO_LEAF: u32 = u32::MAX;

/// Number of points of a batch that are copied and queried at a time: enough to amortize the setup, and few enough
/// for any stack.
const AT_ONCE: usize = 256;

export_in_both_precisions! {
    /// `Model::is_solid`.
    onion_is_solid, onion_is_solid_double =
        is_solid(model: In<ModelHandle>, hull: u64; point: PointIn; solid: Out<u8>);
    /// `Model::solidity`.
    onion_solidity, onion_solidity_double =
        solidity(model: In<ModelHandle>; point: PointIn; solidity: Out<u64>);
}

fn is_solid<T: Coordinate>(
    model: In<ModelHandle>,
    hull: u64,
    point: PointIn<T>,
    solid: Out<u8>,
) -> Result<(), Status> {
    let (solid, point) = (solid.place()?, point.read()?);
    let asked = model.read()?;
    let (model, hull) = asked.with(hull)?;
    solid.write(model.is_solid(hull, point).into());
    Ok(())
}

fn solidity<T: Coordinate>(
    model: In<ModelHandle>,
    point: PointIn<T>,
    solidity: Out<u64>,
) -> Result<(), Status> {
    let (solidity, point) = (solidity.place()?, point.read()?);
    solidity.write(model.read()?.get()?.solidity(point).bits());
    Ok(())
}

/// Wraps `Model::is_solid_batch`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_is_solid_batch(
    model: In<ModelHandle>,
    hull: u64,
    points: In<[f32; 3]>,
    count: usize,
    solid: Out<u8>,
) -> Status {
    Status::of(|| {
        let (places, points) = (solid.places(count)?, points.read_many(count)?);
        let asked = model.read()?;
        let (model, hull) = asked.with(hull)?;
        batch(points, places, u8::from, |points, solid: &mut [bool]| {
            model.is_solid_batch(hull, points, solid);
        });
        Ok(())
    })
}

/// `Model::solidity_batch`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_solidity_batch(
    model: In<ModelHandle>,
    points: In<[f32; 3]>,
    count: usize,
    solidity: Out<u64>,
) -> Status {
    Status::of(|| {
        let (places, points) = (solidity.places(count)?, points.read_many(count)?);
        let asked = model.read()?;
        let model = asked.get()?;
        batch(
            points,
            places,
            HullSet::bits,
            |points, solidity: &mut [HullSet]| {
                model.solidity_batch(points, solidity);
            },
        );
        Ok(())
    })
}

/// Wraps `Model::leaf_at`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_leaf_at(
    model: In<ModelHandle>,
    point: In<[f32; 3]>,
    leaf: Out<u32>,
) -> Status {
    Status::of(|| {
        let (leaf, point) = (leaf.place()?, point.read()?);
        let found = model.read()?.get()?.leaf_at(point);
        leaf.write(found.map_or(NO_LEAF, |leaf| leaf.index() as u32));
        Ok(())
    })
}

/// Wraps `OnionMap::leaf_solidity`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_leaf_solidity(map: MapIn, leaf: u32, solidity: Out<u64>) -> Status {
    Status::of(|| {
        let solidity = solidity.place()?;
        let hulls = map.get()?.inspect().leaf(leaf).ok_or(Status::Leaf)?;
        solidity.write(hulls.bits());
        Ok(())
    })
}

/// Queries many points, a chunk at a time.
fn batch<A: Copy + Default, T: Copy>(
    mut points: impl Iterator<Item = [f32; 3]>,
    mut places: impl Iterator<Item = Place<T>>,
    to_c: impl Fn(A) -> T,
    ask: impl Fn(&[[f32; 3]], &mut [A]),
) {
    let mut asked = [[0.0; 3]; AT_ONCE];
    let mut answers = [A::default(); AT_ONCE];
    loop {
        let mut n_asked = 0;
        for (to, point) in asked.iter_mut().zip(&mut points) {
            *to = point;
            n_asked += 1;
        }
        ask(asked.get(..n_asked).unwrap_or(&[]), &mut answers);
        for (answer, place) in answers.iter().take(n_asked).zip(&mut places) {
            place.write(to_c(*answer));
        }
        if n_asked < AT_ONCE {
            return;
        }
    }
}
