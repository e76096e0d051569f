//! One map: its compiles, its queries and the rivals of each hull in, rows of a table out. A rival whose answers
//! differ from the onion's more often than allowed is an error.

use onion_compiler::CompileOptions;
use onion_compiler::Compiled;
use onion_compiler::compile;
use onion_compiler::fill::seeds::Fill;
use onion_compiler::hull::HullSpec;
use onion_maps::Map;
use onion_runtime::{HullId, OnionMap};
use onion_tests::maps::RealMap;

use crate::agreement::Agreement;
use crate::arguments::Args;
use crate::bsp::MapTree;
use crate::bvh2::BinaryBvh;
use crate::cwbvh::WideBvh;
use crate::fast_form::FastForm;
use crate::hull_check::HullCheck;
use crate::leaf_brushes::LeafBrushes;
use crate::loading::Loading;
use crate::onion::{Batch, Kept, Onion};
use crate::parry::Parry;
use crate::plane_shift::PlaneShift;
use crate::queries::{Kind, Order, Queries};
use crate::rival::{Contender, Rival, Segment};
use crate::rows::{Class, Difference, Row, Rows};
use crate::solids::{Brushes, Solids};
use crate::ticks;
use crate::timing::{Evictor, share, warm};

/// Number of queries that are compared before any are timed.
const COMPARED: usize = 20_000;

/// The compiles that rivals take their trees from.
struct Files {
    /// The compile of the hull alone.
    single: Option<OnionMap<Vec<u8>>>,
    /// The compile of a point that the hull's contents block.
    point: Option<OnionMap<Vec<u8>>>,
}

/// Measures all hulls of a map.
pub fn measure(
    real: &RealMap,
    args: &Args,
    evictor: &Evictor,
    rows: &mut Rows,
) -> Result<(), String> {
    let fail = |error: String| format!("{}: {error}", real.name);
    let map = onion_maps::parse(&real.bytes, &Default::default())
        .map_err(|error| fail(error.to_string()))?;
    let hulls = args.hulls()?;
    let made = compile_for(&map, &hulls, Fill::Off).map_err(fail)?;
    rows.fast_forms.push(FastForm::of(&real.name, &made.report));
    let onion = loaded(made).map_err(fail)?;
    let filled = compiled(&map, &hulls, Fill::default()).map_err(fail)?;
    let file = &onion.clone().into_bytes();
    let borrowed =
        OnionMap::from_bytes(file.as_slice()).map_err(|error| fail(error.to_string()))?;
    rows.loading.push(Loading::measure(
        &real.name,
        file,
        onion.inspect().n_nodes(),
    ));
    let brushes = Brushes::new(&map).map_err(fail)?;
    for (spec, hull) in hulls.iter().zip(onion.hulls()) {
        let solids = brushes.expand(spec);
        let files = Files::new(&map, spec, args).map_err(fail)?;
        let mut queries = Queries::new(&onion, &filled, hull, solids.bounds());
        if args.ticks {
            let alone = files.single.as_ref().and_then(only_hull);
            let measured = alone.map(|alone| {
                let places = queries.places(ticks::WALKERS);
                ticks::measure(&real.name, (&onion, hull.id), alone, &places)
            });
            rows.ticks.extend(measured);
            continue;
        }
        let mut rivals = vec![contender(Onion::<false>::new(&onion, hull.id))];
        if args.wants(Batch::NAME) {
            rivals.push(contender(Batch::new(&onion, hull.id)));
        }
        if args.wants(Kept::<Vec<u8>, true>::NAME) {
            rivals.push(contender(Kept::<Vec<u8>, true>::new(&onion, hull.id)));
            rivals.push(contender(Kept::<&[u8], false>::new(&borrowed, hull.id)));
        }
        rivals.extend(files.rivals(real, &solids, args).map_err(fail)?);
        let mut of_hull = OfHull {
            map: &real.name,
            hull: spec,
            queries,
            rivals,
            args,
            evictor,
        };
        of_hull.measure(rows).map_err(fail)?;
    }
    Ok(())
}

fn compiled(map: &Map, hulls: &[HullSpec], fill: Fill) -> Result<OnionMap<Vec<u8>>, String> {
    loaded(compile_for(map, hulls, fill)?)
}

fn loaded(made: Compiled) -> Result<OnionMap<Vec<u8>>, String> {
    OnionMap::from_bytes(made.bytes).map_err(|error| error.to_string())
}

fn compile_for(map: &Map, hulls: &[HullSpec], fill: Fill) -> Result<Compiled, String> {
    let options = CompileOptions {
        fill,
        surfaces: false,
        ..CompileOptions::new(hulls.to_vec())
    };
    compile(map, &options).map_err(|error| error.to_string())
}

fn contender<'a>(rival: impl Rival + 'a) -> Box<dyn Contender + 'a> {
    Box::new(rival)
}

/// Returns a file and its only hull.
fn only_hull(file: &OnionMap<Vec<u8>>) -> Option<(&OnionMap<Vec<u8>>, HullId)> {
    Some((file, file.hulls().next()?.id))
}

impl Files {
    fn new(map: &Map, hull: &HullSpec, args: &Args) -> Result<Self, String> {
        let one = |hull: HullSpec| compiled(map, &[hull], Fill::Off);
        let point = HullSpec {
            mins: [0.0; 3],
            maxs: [0.0; 3],
            sides: Vec::new(),
            ..hull.clone()
        };
        let needed = |name: &str, hull: HullSpec| args.wants(name).then(|| one(hull)).transpose();
        Ok(Self {
            single: match needed(HullCheck::NAME, hull.clone())? {
                Some(file) => Some(file),
                None => needed(Onion::<true>::NAME, hull.clone())?,
            },
            point: needed(PlaneShift::NAME, point)?,
        })
    }

    /// Makes all rivals that are wanted.
    fn rivals<'a>(
        &'a self,
        real: &RealMap,
        solids: &Solids,
        args: &Args,
    ) -> Result<Vec<Box<dyn Contender + 'a>>, String> {
        let mut rivals = Vec::new();
        if args.wants(LeafBrushes::NAME) {
            let tree = MapTree::read(&real.bytes)?;
            rivals.push(contender(LeafBrushes::new(tree, solids)));
        }
        if let Some((file, hull)) = self.single.as_ref().and_then(only_hull) {
            if args.wants(Onion::<true>::NAME) {
                rivals.push(contender(Onion::<true>::new(file, hull)));
            }
            if args.wants(HullCheck::NAME) {
                rivals.push(contender(HullCheck::new(file, hull)));
            }
        }
        if let Some((file, hull)) = self.point.as_ref().and_then(only_hull) {
            rivals.push(contender(PlaneShift::new(file, hull, solids)));
        }
        if args.wants(Parry::NAME) {
            rivals.push(contender(Parry::new(solids)));
        }
        if args.wants(BinaryBvh::NAME) {
            rivals.push(contender(BinaryBvh::new(solids)));
        }
        if args.wants(WideBvh::NAME) {
            rivals.push(contender(WideBvh::new(solids)));
        }
        #[cfg(feature = "embree")]
        if args.wants(crate::embree::Embree::NAME) {
            rivals.push(contender(crate::embree::Embree::new(solids)));
        }
        Ok(rivals)
    }
}

/// One hull of a map.
struct OfHull<'a> {
    map: &'a str,
    hull: &'a HullSpec,
    queries: Queries<'a>,
    /// The rivals; the onion comes first.
    rivals: Vec<Box<dyn Contender + 'a>>,
    args: &'a Args,
    evictor: &'a Evictor,
}

impl OfHull<'_> {
    fn measure(&mut self, rows: &mut Rows) -> Result<(), String> {
        for &kind in &self.args.kinds {
            let coherent = self.queries.list(kind, self.args.queries);
            let shuffled = self.queries.shuffled(coherent.clone());
            self.compare(kind, &shuffled, rows)?;
            for &order in &self.args.orders {
                let list = match order {
                    Order::Coherent => &coherent,
                    Order::Shuffled | Order::Cold => &shuffled,
                };
                self.time(kind, order, list, rows);
            }
        }
        Ok(())
    }

    /// Compares answers before anything is timed.
    fn compare(&mut self, kind: Kind, list: &[Segment], rows: &mut Rows) -> Result<(), String> {
        let question = kind.question();
        let queries = &list[..list.len().min(COMPARED)];
        let Some((onion, rivals)) = self.rivals.split_first_mut() else {
            return Ok(());
        };
        let exact = onion.answers(question, queries);
        for rival in rivals {
            let agreement = Agreement::new(question, queries, &exact, &mut **rival);
            let difference = Difference {
                map: self.map.to_owned(),
                kind: kind.name(),
                hull: self.hull.name.clone(),
                rival: rival.name(),
                compared: agreement.compared,
                early: agreement.early,
                late: agreement.late,
            };
            if !agreement.is_close() && rival.approximate().is_none() {
                let message = format!("answers differ: {}", difference.line());
                if !self.args.keep_going {
                    return Err(message);
                }
                eprintln!("{}: {message}", self.map);
            }
            rows.differences.push(difference);
        }
        Ok(())
    }

    fn time(&mut self, kind: Kind, order: Order, list: &[Segment], rows: &mut Rows) {
        let question = kind.question();
        let times = match order {
            Order::Cold => self.evictor.cold(&mut self.rivals, question, list),
            _ => warm(&mut self.rivals, question, list),
        };
        let class = Class {
            kind: kind.name(),
            order: order.name(),
            is_point: self.hull.is_point(),
        };
        let mut line = Vec::new();
        for (rival, ns) in self.rivals.iter_mut().zip(times) {
            let visits = rival.visits(question, share(&**rival, list));
            line.push(Row {
                map: self.map.to_owned(),
                class,
                hull: self.hull.name.clone(),
                rival: rival.name(),
                ns,
                visits: visits.visits(),
                nodes: visits.nodes,
                brushes: visits.brushes,
                bytes_touched: visits.bytes,
                bytes: rival.bytes(),
            });
        }
        rows.add(line);
    }
}
