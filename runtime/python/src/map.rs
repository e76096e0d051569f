//! Maps in Python: arrays of points and segments in, one row for each, and arrays of answers out, one for each part.
//! Other Python threads run during a query.

use std::error::Error;
use std::sync::{Mutex, PoisonError};

use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray2};
use onion_runtime::movement::{Stop, World};
use onion_runtime::navigation::{PathCosts, PathScratch};
use onion_runtime::{
    Aabb, Hit, HullId, HullSet, LinkedPortal, LinkedWorld, Model, OnionMap, Plane, Source, Trace,
};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;

use crate::arrays::{columns, rows};
use crate::floors::{FloorFields, FloorPlaces, floor_places};
use crate::navigation::{self, AgentFields, LinkFields, PathFields};

/// A hull: index, name, mins, maxs, contents, filled.
type HullFields = (usize, String, Corner, Corner, u32, bool);

/// A point, which is a tuple in Python; an array would be a list.
type Corner = (f32, f32, f32);

/// The results of traces: fraction, hit fraction, end, normal, distance and number of the plane (-1 if none), whether
/// the start is solid, whether the whole segment is solid.
type Traces<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
);

/// The results of hits: brush or patch, side and surface by number (-1 if nothing was hit), whether it is a patch, a
/// bevel.
type Hits<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
);

/// A linked portal: center, facing, half size, number of its partner.
type PortalFields = ((f64, f64, f64), u32, (f64, f64), u32);

/// The results of traces through portals: fraction, end, normal (0 if nothing was hit), whether something was, the real
/// place of the end, quarter turns to it.
type LinkedTraces<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<u8>>,
);

/// A checked map.
#[pyclass(frozen)]
pub(crate) struct Map {
    pub map: OnionMap<Vec<u8>>,
    /// Memory of path searches that is not in use.
    scratch: Mutex<Vec<PathScratch>>,
}

impl Map {
    pub(crate) fn hull_at(&self, index: usize) -> PyResult<HullId> {
        let hull = self.map.inspect().hull_id(index);
        hull.ok_or_else(|| PyKeyError::new_err(format!("no hull {index}")))
    }

    fn model_at(&self, index: usize, margin: f64) -> PyResult<Model<'_>> {
        let n_models = self.map.n_models();
        let model = self.map.model(index).map(|model| model.with_margin(margin));
        model
            .ok_or_else(|| PyIndexError::new_err(format!("no model {index}; there are {n_models}")))
    }

    /// Runs a search with memory that the map keeps.
    fn searching<T: Send>(
        &self,
        py: Python<'_>,
        search: impl FnOnce(&mut Vec<PathScratch>) -> T + Send,
    ) -> T {
        py.detach(|| {
            let lock = || self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
            // Another thread that searches meanwhile finds none, and makes its own.
            let mut scratch = std::mem::take(&mut *lock());
            let n_scratch = self.map.path_scratch().max(scratch.len());
            scratch.resize(n_scratch, PathScratch::default());
            let found = search(&mut scratch);
            *lock() = scratch;
            found
        })
    }
}

#[pymethods]
impl Map {
    #[new]
    fn new(py: Python<'_>, bytes: Vec<u8>) -> PyResult<Self> {
        let map = py.detach(|| OnionMap::from_bytes(bytes));
        let map = map.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let scratch = Mutex::default();
        Ok(Self { map, scratch })
    }

    /// Returns the hulls of the file.
    fn hulls(&self) -> Vec<HullFields> {
        let hulls = self.map.hulls().map(|hull| {
            let name = hull.name.to_owned();
            let index = hull.id.index();
            let Aabb { mins, maxs } = hull.bounds;
            let [mins, maxs] = [mins, maxs].map(Corner::from);
            (index, name, mins, maxs, hull.contents, hull.filled)
        });
        hulls.collect()
    }

    /// Returns the hull of this name, if it has exactly this box.
    fn require_hull(&self, name: &str, mins: [f64; 3], maxs: [f64; 3]) -> PyResult<usize> {
        let hull = self.map.require_hull(name, Aabb::new(mins, maxs));
        let hull = hull.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(hull.index())
    }

    /// Returns the number of models.
    fn n_models(&self) -> usize {
        self.map.n_models()
    }

    /// Returns a model's box before expansion, the place where its entity puts it, and the number of that entity.
    fn model(&self, model: usize) -> PyResult<(Corner, Corner, Corner, Option<u32>)> {
        let model = self.model_at(model, 0.0)?;
        let Aabb { mins, maxs } = model.bounds();
        Ok((
            mins.into(),
            maxs.into(),
            model.origin().into(),
            model.entity_number(),
        ))
    }

    /// Returns the keys and values of the entities, or `None` if the file does not hold them.
    fn entities(&self) -> Option<Vec<Vec<(String, String)>>> {
        let entities = self.map.entities().ok()?;
        let pairs = entities.map(|entity| {
            let pairs = entity.pairs();
            pairs
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .collect()
        });
        Some(pairs.collect())
    }

    /// Returns the names of the surfaces.
    fn surfaces(&self) -> Vec<String> {
        let surfaces = self.map.inspect().surfaces();
        let names =
            surfaces.map(|surface| String::from_utf8_lossy(surface.name_bytes).into_owned());
        names.collect()
    }

    /// Tests whether points are solid for a hull.
    fn is_solid<'py>(
        &self,
        py: Python<'py>,
        model: usize,
        hull: usize,
        points: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let (points, hull) = (rows(&points)?, self.hull_at(hull)?);
        let model = self.model_at(model, 0.0)?;
        let mut solid = vec![false; points.len()];
        py.detach(|| model.is_solid_batch(hull, &points, &mut solid));
        Ok(solid.into_pyarray(py))
    }

    /// Returns the hulls for which points are solid: bit `h` for hull `h`.
    fn solidity<'py>(
        &self,
        py: Python<'py>,
        model: usize,
        points: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let points = rows(&points)?;
        let model = self.model_at(model, 0.0)?;
        let mut solidity = vec![HullSet::EMPTY; points.len()];
        py.detach(|| model.solidity_batch(&points, &mut solidity));
        let bits: Vec<u64> = solidity.into_iter().map(HullSet::bits).collect();
        Ok(bits.into_pyarray(py))
    }

    /// Traces a hull along segments.
    fn trace<'py>(
        &self,
        py: Python<'py>,
        model: usize,
        hull: usize,
        starts: PyReadonlyArray2<'py, f64>,
        ends: PyReadonlyArray2<'py, f64>,
        margin: f64,
    ) -> PyResult<Traces<'py>> {
        let (starts, ends, hull) = (rows(&starts)?, rows(&ends)?, self.hull_at(hull)?);
        let model = self.model_at(model, margin)?;
        let traces: Vec<Trace<f64>> = py.detach(|| {
            let segments = starts.iter().zip(&ends);
            segments
                .map(|(&start, &end)| model.trace(hull, start, end))
                .collect()
        });
        arrays(py, &traces)
    }

    /// Whether the file holds floors.
    fn has_floors(&self) -> bool {
        self.map.has_floors()
    }

    /// Returns the floors of a hull.
    fn floors<'py>(&self, py: Python<'py>, hull: usize) -> PyResult<Vec<FloorFields<'py>>> {
        let floors = self.map.floors(self.hull_at(hull)?);
        let fields = floors.map(|floor| {
            let corners = columns(py, &Vec::from_iter(floor.corners()))?;
            Ok((floor.number, floor.normal.into(), floor.dist, corners))
        });
        fields.collect()
    }

    /// Finds the floors of a hull under positions.
    fn floor_at<'py>(
        &self,
        py: Python<'py>,
        hull: usize,
        positions: PyReadonlyArray2<'py, f64>,
        reach: f64,
    ) -> PyResult<FloorPlaces<'py>> {
        let hull = self.hull_at(hull)?;
        let query = |position: [f64; 3]| self.map.floor_at(hull, position, reach);
        floor_places(py, &positions, query)
    }

    /// Finds the floors of a hull that are nearest to positions.
    fn nearest_floor<'py>(
        &self,
        py: Python<'py>,
        hull: usize,
        positions: PyReadonlyArray2<'py, f64>,
        max_distance: f64,
    ) -> PyResult<FloorPlaces<'py>> {
        let hull = self.hull_at(hull)?;
        let query = |position: [f64; 3]| self.map.nearest_floor(hull, position, max_distance);
        floor_places(py, &positions, query)
    }

    /// Returns places of a hull for rows of three random numbers.
    fn random_place<'py>(
        &self,
        py: Python<'py>,
        hull: usize,
        random: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<FloorPlaces<'py>> {
        let hull = self.hull_at(hull)?;
        let query = |numbers: [f64; 3]| self.map.random_place(hull, numbers);
        floor_places(py, &random, query)
    }

    /// Returns the classes of agents.
    fn agents(&self) -> Vec<AgentFields> {
        let classes = self.map.agents();
        classes
            .map(|class| navigation::agent_fields(&self.map, &class))
            .collect()
    }

    /// Returns the links between floors.
    fn links(&self) -> Vec<LinkFields> {
        let links = (0..self.map.n_links() as u32).filter_map(|number| self.map.link(number));
        links.map(navigation::link_fields).collect()
    }

    /// Finds a path between two positions of a hull, with the costs in the order of [`PathCosts`].
    fn path<'py>(
        &self,
        py: Python<'py>,
        hull: usize,
        start: [f64; 3],
        goal: [f64; 3],
        costs: [f64; 5],
    ) -> PyResult<PathFields<'py>> {
        let hull = self.hull_at(hull)?;
        let [crouched, switch, drop, jump, climb] = costs;
        let costs = PathCosts {
            crouched,
            switch,
            drop,
            jump,
            climb,
        };
        let found = self.searching(py, |scratch| {
            navigation::path(&self.map, hull, [start, goal], &costs, scratch)
        });
        navigation::path_fields(py, found)
    }

    /// Returns the numbers of the floors that an agent gets to from a position of a hull.
    fn reachable<'py>(
        &self,
        py: Python<'py>,
        hull: usize,
        start: [f64; 3],
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let hull = self.hull_at(hull)?;
        let found = self.searching(py, |scratch| {
            let floors = self.map.reachable(hull, start, scratch)?;
            Ok(Vec::from_iter(floors.map(|floor| i64::from(floor.number))))
        });
        Ok(navigation::or_no_path(found)?.into_pyarray(py))
    }

    /// Whether an agent gets from one position of a hull to another.
    fn can_reach(
        &self,
        py: Python<'_>,
        hull: usize,
        start: [f64; 3],
        goal: [f64; 3],
    ) -> PyResult<bool> {
        let hull = self.hull_at(hull)?;
        let found = self.searching(py, |scratch| self.map.can_reach(hull, start, goal, scratch));
        navigation::or_no_path(found)
    }

    /// Returns the linked portals that entities declare.
    fn linked_portals(&self) -> PyResult<Vec<PortalFields>> {
        let wrong = |error: &dyn Error| PyValueError::new_err(error.to_string());
        let portals = self.map.linked_portals().map_err(|error| wrong(&error))?;
        let fields = portals.map(|portal| {
            let portal = portal.map_err(|error| wrong(&error))?;
            let (center, half_size) = (portal.center.into(), portal.half_size.into());
            Ok((center, portal.facing, half_size, portal.partner))
        });
        fields.collect()
    }

    /// Traces a hull in the world along segments, through portals.
    fn trace_linked<'py>(
        &self,
        py: Python<'py>,
        hull: usize,
        starts: PyReadonlyArray2<'py, f64>,
        ends: PyReadonlyArray2<'py, f64>,
        portals: Vec<PortalFields>,
        margin: f64,
    ) -> PyResult<LinkedTraces<'py>> {
        let (starts, ends, hull) = (rows(&starts)?, rows(&ends)?, self.hull_at(hull)?);
        let world = self.map.world().with_margin(margin);
        let portals = portals.into_iter();
        let portals = portals.map(|(center, facing, half_size, partner)| LinkedPortal {
            center: center.into(),
            facing,
            half_size: half_size.into(),
            partner,
        });
        let portals: Vec<LinkedPortal> = portals.collect();
        let traces: Vec<(Stop<f64>, [f64; 3], u8)> = py.detach(|| {
            let trace = |(&start, &end)| {
                let seen = LinkedWorld::new(&world, &portals, start);
                let stop = seen.trace(hull, start, end);
                let (place, quarters) = seen.place(stop.end_pos);
                (stop, place, quarters)
            };
            starts.iter().zip(&ends).map(trace).collect()
        });
        linked_arrays(py, &traces)
    }

    /// Finds the brushes and sides that traces hit, from their starts, ends, hit fractions, and the normals,
    /// distances and numbers of planes.
    #[allow(clippy::too_many_arguments)]
    fn hits<'py>(
        &self,
        py: Python<'py>,
        model: usize,
        hull: usize,
        starts: PyReadonlyArray2<'py, f64>,
        ends: PyReadonlyArray2<'py, f64>,
        fractions: Vec<f64>,
        normals: PyReadonlyArray2<'py, f64>,
        numbers: Vec<i64>,
    ) -> PyResult<Hits<'py>> {
        let (starts, ends, normals) = (rows(&starts)?, rows(&ends)?, rows(&normals)?);
        let (model, hull) = (self.model_at(model, 0.0)?, self.hull_at(hull)?);
        let traces = starts
            .iter()
            .zip(&ends)
            .zip(&normals)
            .zip(fractions)
            .zip(numbers);
        let hits: Result<Vec<_>, _> = traces
            .map(|((((&start, &end), &normal), hit_fraction), number)| {
                let plane = u32::try_from(number).ok().map(|number| Plane {
                    normal,
                    dist: 0.0,
                    number,
                });
                let trace = Trace {
                    start,
                    end,
                    hit_fraction,
                    plane,
                    ..Trace::default()
                };
                model.hit(hull, &trace)
            })
            .collect();
        let hits = hits.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(hit_arrays(py, &hits))
    }
}

/// Splits traces into one array for each part.
fn arrays<'py>(py: Python<'py>, traces: &[Trace<f64>]) -> PyResult<Traces<'py>> {
    let plane = |trace: &Trace<f64>| trace.plane;
    let ends: Vec<_> = traces.iter().map(|trace| trace.end_pos).collect();
    let normals = traces.iter().map(plane);
    let normals: Vec<_> = normals
        .map(|plane| plane.map_or([0.0; 3], |plane| plane.normal))
        .collect();
    let dists = traces.iter().map(plane);
    let dists: Vec<_> = dists
        .map(|plane| plane.map_or(0.0, |plane| plane.dist))
        .collect();
    let numbers = traces.iter().map(plane);
    let numbers: Vec<_> = numbers
        .map(|plane| plane.map_or(-1, |plane| plane.number.into()))
        .collect();
    let each = |part: fn(&Trace<f64>) -> f64| traces.iter().map(part).collect::<Vec<_>>();
    let flags = |part: fn(&Trace<f64>) -> bool| traces.iter().map(part).collect::<Vec<_>>();
    Ok((
        each(|trace| trace.fraction).into_pyarray(py),
        each(|trace| trace.hit_fraction).into_pyarray(py),
        columns(py, &ends)?,
        columns(py, &normals)?,
        dists.into_pyarray(py),
        numbers.into_pyarray(py),
        flags(|trace| trace.start_solid).into_pyarray(py),
        flags(|trace| trace.all_solid).into_pyarray(py),
    ))
}

/// Splits traces through portals into one array for each part.
fn linked_arrays<'py>(
    py: Python<'py>,
    traces: &[(Stop<f64>, [f64; 3], u8)],
) -> PyResult<LinkedTraces<'py>> {
    let stops = || traces.iter().map(|(stop, ..)| stop);
    let normals = stops().map(|stop| stop.met.map_or([0.0; 3], |met| met.normal));
    let places = traces.iter().map(|&(_, place, _)| place);
    let quarters = traces.iter().map(|&(.., quarters)| quarters);
    Ok((
        Vec::from_iter(stops().map(|stop| stop.fraction)).into_pyarray(py),
        columns(py, &Vec::from_iter(stops().map(|stop| stop.end_pos)))?,
        columns(py, &Vec::from_iter(normals))?,
        Vec::from_iter(stops().map(|stop| stop.met.is_some())).into_pyarray(py),
        columns(py, &Vec::from_iter(places))?,
        Vec::from_iter(quarters).into_pyarray(py),
    ))
}

/// Splits hits into one array for each part.
fn hit_arrays<'py>(py: Python<'py>, hits: &[Option<Hit<'_>>]) -> Hits<'py> {
    let number = |part: fn(&Hit<'_>) -> u32| {
        let numbers = hits
            .iter()
            .map(|hit| hit.as_ref().map_or(-1, |hit| part(hit).into()));
        numbers.collect::<Vec<i64>>().into_pyarray(py)
    };
    let flag = |part: fn(&Hit<'_>) -> bool| {
        let flags = hits.iter().map(|hit| hit.as_ref().is_some_and(part));
        flags.collect::<Vec<bool>>().into_pyarray(py)
    };
    (
        number(|hit| match hit.brush.source {
            Source::Brush(number) | Source::Patch(number) => number,
        }),
        number(|hit| hit.side.number),
        number(|hit| hit.side.surface.number),
        flag(|hit| matches!(hit.brush.source, Source::Patch(_))),
        flag(|hit| hit.side.is_bevel),
    )
}
