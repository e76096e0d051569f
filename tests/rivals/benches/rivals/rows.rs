//! The measurements: rows of times and differences in, means over maps and hulls, the cases in which a rival is
//! faster, and JSON out.

use serde::Serialize;

use crate::fast_form::FastForm;
use crate::loading::Loading;

/// Name of the rival that all others are compared with.
pub const ONION: &str = "onion";

/// A kind of queries in one order, for hulls that are points or for boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Class {
    /// Kind of the queries.
    pub kind: &'static str,
    /// Their order.
    pub order: &'static str,
    /// Whether the hulls are points.
    pub is_point: bool,
}

/// The time of one rival for one list of queries.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// File name.
    pub map: String,
    /// The class of the queries and the hull.
    #[serde(flatten)]
    pub class: Class,
    /// Name of the hull.
    pub hull: String,
    /// Name of the rival.
    pub rival: &'static str,
    /// Nanoseconds a query.
    pub ns: f64,
    /// Mean number of nodes and brushes together of a query; `None` if the rival counts neither.
    pub visits: Option<f64>,
    /// Mean number of visited nodes of a query.
    pub nodes: Option<f64>,
    /// Mean number of brushes that a query clips against.
    pub brushes: Option<f64>,
    /// Mean number of bytes of the structure that a query reads, counted at each read; `None` if the rival counts no
    /// visits.
    pub bytes_touched: Option<f64>,
    /// Memory that queries may read, in bytes; for the onion, of all hulls.
    pub bytes: usize,
}

/// The number of a rival's answers that differ from the onion's.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// File name.
    pub map: String,
    /// Kind of the queries.
    pub kind: &'static str,
    /// Name of the hull.
    pub hull: String,
    /// Name of the rival.
    pub rival: &'static str,
    /// Number of compared queries.
    pub compared: usize,
    /// Number of those answered too early.
    pub early: usize,
    /// Number of those answered too late.
    pub late: usize,
}

/// All measurements.
#[derive(Default, Serialize)]
pub struct Rows {
    /// Times.
    pub rows: Vec<Row>,
    /// Differences of answers.
    pub differences: Vec<Difference>,
    /// The cost of loading.
    pub loading: Vec<Loading>,
    /// The cost of the fast form of the onion's files.
    pub fast_forms: Vec<FastForm>,
    /// See [`crate::ticks::measure`].
    pub ticks: Vec<[f64; 2]>,
}

/// A geometric mean of times over maps and hulls.
#[derive(Serialize)]
pub struct Mean {
    /// The class of queries and hulls.
    #[serde(flatten)]
    pub class: Class,
    /// Name of the rival.
    pub rival: &'static str,
    /// Nanoseconds a query.
    pub ns: f64,
    /// Relative to the onion's; above 1 the onion is faster.
    pub ratio: f64,
    /// Nodes and brushes a query.
    pub visits: Option<f64>,
    /// Bytes read a query.
    pub bytes_touched: Option<f64>,
}

/// Geometric means over the hulls of a map for one class of queries, in which a rival is faster than the onion.
#[derive(Serialize)]
pub struct Faster<'a> {
    /// File name.
    pub map: &'a str,
    /// The class of queries and hulls.
    #[serde(flatten)]
    pub class: Class,
    /// Times of all rivals relative to the onion's; below 1 the rival is faster.
    pub ratios: Vec<(&'static str, f64)>,
}

impl Faster<'_> {
    /// Returns the ratio of the fastest rival.
    pub fn least(&self) -> f64 {
        let ratios = self.ratios.iter().map(|(_, ratio)| *ratio);
        ratios.fold(f64::INFINITY, f64::min)
    }
}

/// A summary of the rows.
#[derive(Serialize)]
pub struct Summary<'a> {
    /// Means of all kinds, orders, classes of hulls, and rivals.
    pub means: Vec<Mean>,
    /// The cases in which rivals are faster, the worst first.
    pub faster: Vec<Faster<'a>>,
}

#[derive(Serialize)]
struct Document<'a> {
    rows: &'a [Row],
    differences: &'a [Difference],
    loading: &'a [Loading],
    fast_forms: &'a [FastForm],
    summary: Summary<'a>,
}

impl Rows {
    /// Returns everything as JSON.
    pub fn json(&self) -> Result<String, String> {
        let document = Document {
            rows: &self.rows,
            differences: &self.differences,
            loading: &self.loading,
            fast_forms: &self.fast_forms,
            summary: self.summary(),
        };
        serde_json::to_string_pretty(&document).map_err(|error| error.to_string())
    }

    /// Returns the time of a row relative to the onion's for the same list of queries.
    fn ratio(&self, row: &Row) -> Option<f64> {
        let onion = self.rows.iter().find(|other| {
            let is_same = (&other.map, &other.hull) == (&row.map, &row.hull);
            other.rival == ONION && other.class == row.class && is_same
        });
        Some(row.ns / onion?.ns)
    }

    /// Computes the means, and the cases in which a rival is faster.
    pub fn summary(&self) -> Summary<'_> {
        Summary {
            faster: self.faster(),
            means: self.means(),
        }
    }

    fn faster(&self) -> Vec<Faster<'_>> {
        let cases = distinct(self.rows.iter().map(|row| (row.map.as_str(), row.class)));
        let cases = cases.into_iter().map(|(map, class)| Faster {
            map,
            class,
            ratios: self.ratios(map, class),
        });
        let mut cases: Vec<_> = cases.filter(|case| case.least() < 1.0).collect();
        cases.sort_by(|one, other| one.least().total_cmp(&other.least()));
        cases
    }

    /// Returns the times of all rivals relative to the onion's in a class, over the hulls of a map.
    fn ratios(&self, map: &str, class: Class) -> Vec<(&'static str, f64)> {
        let is_same = |row: &&Row| row.map == map && row.class == class && row.rival != ONION;
        let same: Vec<&Row> = self.rows.iter().filter(is_same).collect();
        let rivals = distinct(same.iter().map(|row| row.rival)).into_iter();
        let ratio = |rival| {
            let own = same.iter().filter(|row| row.rival == rival);
            let ratios = own.filter_map(|row| self.ratio(row));
            (rival, geometric_mean(ratios))
        };
        rivals.map(ratio).collect()
    }

    fn means(&self) -> Vec<Mean> {
        let all = distinct(self.rows.iter().map(|row| (row.class, row.rival)));
        let mean = |(class, rival)| {
            let is_same = |row: &&Row| (row.class, row.rival) == (class, rival);
            let same: Vec<&Row> = self.rows.iter().filter(is_same).collect();
            Mean {
                class,
                rival,
                ns: geometric_mean(same.iter().map(|row| row.ns)),
                ratio: geometric_mean(same.iter().filter_map(|row| self.ratio(row))),
                visits: mean_if_counted(same.iter().map(|row| row.visits)),
                bytes_touched: mean_if_counted(same.iter().map(|row| row.bytes_touched)),
            }
        };
        all.into_iter().map(mean).collect()
    }
}

impl Difference {
    /// Writes a line of text.
    pub fn line(&self) -> String {
        let Self {
            kind,
            hull,
            rival,
            compared,
            early,
            late,
            ..
        } = self;
        format!("{rival}, {kind}, {hull}: of {compared}, {early} are too early and {late} too late")
    }
}

/// Returns the different values, in the order in which each comes first.
pub fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.fold(Vec::new(), |mut distinct, value| {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
        distinct
    })
}

/// Returns the mean of numbers, or `None` if one is unknown. This is not the geometric mean, because some maps may
/// need no visits at all.
fn mean_if_counted(numbers: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
    Some(numbers.iter().sum::<f64>() / numbers.len() as f64)
}

pub fn geometric_mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = numbers.map(f64::ln).collect();
    (logs.iter().sum::<f64>() / logs.len() as f64).exp()
}
