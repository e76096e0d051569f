//! What was measured as tables for people and as JSON for programs: rows in, means over maps and hulls, and
//! where a rival is faster, out.

use serde::Serialize;

use crate::agreement::MOST_DIFFERENT;

/// Name of the rival that all others are compared with.
const ONION: &str = "onion";

/// Time of one rival for one list of queries.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// File name.
    pub map: String,
    /// Kind of the queries.
    pub kind: &'static str,
    /// Their order.
    pub order: &'static str,
    /// Name of the hull.
    pub hull: String,
    /// Whether the hull is a point.
    pub is_point: bool,
    /// Name of the rival.
    pub rival: &'static str,
    /// Nanoseconds a query.
    pub ns: f64,
    /// Nodes visited, mean of a query.
    pub nodes: Option<f64>,
    /// Brushes clipped against, mean of a query.
    pub brushes: Option<f64>,
    /// Memory that queries may read, in bytes; the onion's is that of all hulls.
    pub bytes: usize,
}

/// How often a rival's answers differ from the onion's.
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
    /// Queries that were compared.
    pub compared: usize,
    /// Of those, answered too early.
    pub early: usize,
    /// Of those, answered too late.
    pub late: usize,
}

/// All that was measured.
#[derive(Default, Serialize)]
pub struct Rows {
    /// Times.
    pub rows: Vec<Row>,
    /// Differences of answers.
    pub differences: Vec<Difference>,
}

/// A geometric mean of times over maps and hulls.
#[derive(Serialize)]
struct Mean {
    kind: &'static str,
    order: &'static str,
    is_point: bool,
    rival: &'static str,
    ns: f64,
    /// Over the onion's time; above 1 the onion is faster.
    ratio: f64,
}

/// Where a rival is faster than the onion.
#[derive(Serialize)]
struct Faster<'a> {
    map: &'a str,
    kind: &'static str,
    order: &'static str,
    hull: &'a str,
    rival: &'static str,
    ratio: f64,
}

#[derive(Serialize)]
struct Summary<'a> {
    means: Vec<Mean>,
    faster: Vec<Faster<'a>>,
}

#[derive(Serialize)]
struct Document<'a> {
    rows: &'a [Row],
    differences: &'a [Difference],
    summary: Summary<'a>,
}

impl Rows {
    /// Adds the rows of all rivals for one list of queries, the onion's first, and prints them as a
    /// line; the first one with a head.
    pub fn add(&mut self, line: Vec<Row>) {
        let Some(first) = line.first() else {
            return;
        };
        if self.rows.is_empty() {
            print_head(&["map", "kind", "order", "hull"], &names(&line));
        }
        let cells: Vec<String> = line.iter().map(|row| cell(row.ns, first.ns)).collect();
        let Row {
            map,
            kind,
            order,
            hull,
            ..
        } = first;
        println!(
            "| {map} | {kind} | {order} | {hull} | {} |",
            cells.join(" | ")
        );
        self.rows.extend(line);
    }

    /// Prints means, differences, memory, and where a rival is faster.
    pub fn print_summary(&self) {
        let rivals = names(&self.rows);
        let summary = self.summary();
        println!("\nGeometric means over maps and hulls, ns a query, and over the onion's:\n");
        print_head(&["kind", "order", "hulls"], &rivals);
        for of_onion in summary.means.iter().filter(|mean| mean.rival == ONION) {
            let Mean {
                kind,
                order,
                is_point,
                ..
            } = *of_onion;
            let same =
                |mean: &&Mean| (mean.kind, mean.order, mean.is_point) == (kind, order, is_point);
            let means = summary.means.iter().filter(same);
            let cells: Vec<String> = means.map(|mean| cell(mean.ns, of_onion.ns)).collect();
            let hulls = if is_point { "point" } else { "boxes" };
            println!("| {kind} | {order} | {hulls} | {} |", cells.join(" | "));
        }
        self.print_bytes(&rivals);
        self.print_differences(&rivals);
        println!(
            "\nA rival is faster in {} of {} cases",
            summary.faster.len(),
            self.n_cases()
        );
        for faster in &summary.faster {
            let Faster {
                map,
                kind,
                order,
                hull,
                rival,
                ratio,
            } = faster;
            println!("- {map}, {kind}, {order}, {hull}: {rival}, {ratio:.2}");
        }
    }

    /// All of it as JSON.
    pub fn json(&self) -> Result<String, String> {
        let document = Document {
            rows: &self.rows,
            differences: &self.differences,
            summary: self.summary(),
        };
        serde_json::to_string_pretty(&document).map_err(|error| error.to_string())
    }

    /// The onion's row for the same list of queries.
    fn onion_row(&self, row: &Row) -> Option<&Row> {
        self.rows.iter().find(|other| {
            other.rival == ONION
                && (other.kind, other.order) == (row.kind, row.order)
                && (&other.map, &other.hull) == (&row.map, &row.hull)
        })
    }

    fn n_cases(&self) -> usize {
        self.rows.iter().filter(|row| row.rival != ONION).count()
    }

    fn summary(&self) -> Summary<'_> {
        let faster = self.rows.iter().filter_map(|row| {
            let ratio = row.ns / self.onion_row(row)?.ns;
            (ratio < 1.0).then_some(Faster {
                map: &row.map,
                kind: row.kind,
                order: row.order,
                hull: &row.hull,
                rival: row.rival,
                ratio,
            })
        });
        Summary {
            faster: faster.collect(),
            means: self.means(),
        }
    }

    fn means(&self) -> Vec<Mean> {
        let mut means: Vec<Mean> = Vec::new();
        let key = |row: &Row| (row.kind, row.order, row.is_point, row.rival);
        for row in &self.rows {
            let (kind, order, is_point, rival) = key(row);
            let known =
                |mean: &Mean| (mean.kind, mean.order, mean.is_point, mean.rival) == key(row);
            if means.iter().any(known) {
                continue;
            }
            let same: Vec<&Row> = self
                .rows
                .iter()
                .filter(|other| key(other) == key(row))
                .collect();
            let ratios = same
                .iter()
                .filter_map(|row| Some(row.ns / self.onion_row(row)?.ns));
            means.push(Mean {
                kind,
                order,
                is_point,
                rival,
                ns: geometric_mean(same.iter().map(|row| row.ns)),
                ratio: geometric_mean(ratios),
            });
        }
        means
    }

    /// Memory over all hulls; the onion's file holds all of them.
    fn print_bytes(&self, rivals: &[&'static str]) {
        println!("\nKiB that queries may read, all hulls of a map together:\n");
        print_head(&["map"], rivals);
        let mut maps: Vec<&String> = self.rows.iter().map(|row| &row.map).collect();
        maps.dedup();
        for map in maps {
            let total = |rival: &&'static str| {
                let rows = self
                    .rows
                    .iter()
                    .filter(|row| row.map == *map && row.rival == *rival);
                let mut of_hulls: Vec<(&String, usize)> =
                    rows.map(|row| (&row.hull, row.bytes)).collect();
                of_hulls.sort();
                of_hulls.dedup();
                let shared = if *rival == ONION { 1 } else { usize::MAX };
                let bytes: usize = of_hulls.iter().take(shared).map(|(_, bytes)| bytes).sum();
                format!("{}", bytes >> 10)
            };
            let cells: Vec<String> = rivals.iter().map(total).collect();
            println!("| {map} | {} |", cells.join(" | "));
        }
    }

    /// How often answers differ, over all maps, by kind.
    fn print_differences(&self, rivals: &[&'static str]) {
        println!(
            "\nAnswers that differ from the onion's, too early + too late, in percent (an exact rival may \
             have {} %):\n",
            100.0 * MOST_DIFFERENT
        );
        let rivals: Vec<&'static str> = rivals
            .iter()
            .copied()
            .filter(|name| *name != ONION)
            .collect();
        print_head(&["kind"], &rivals);
        let mut kinds: Vec<&'static str> = Vec::new();
        for difference in &self.differences {
            if !kinds.contains(&difference.kind) {
                kinds.push(difference.kind);
            }
        }
        for kind in kinds {
            let share = |rival: &&'static str| {
                let same = |row: &&Difference| row.kind == kind && row.rival == *rival;
                let sum = |of: fn(&Difference) -> usize| {
                    self.differences.iter().filter(same).map(of).sum::<usize>() as f64
                };
                let percent = |of| 100.0 * sum(of) / sum(|row| row.compared).max(1.0);
                format!(
                    "{:.3} + {:.3}",
                    percent(|row| row.early),
                    percent(|row| row.late)
                )
            };
            let cells: Vec<String> = rivals.iter().map(share).collect();
            println!("| {kind} | {} |", cells.join(" | "));
        }
    }
}

impl Difference {
    /// As a line of text.
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

/// The rivals of some rows, in their order.
fn names(rows: &[Row]) -> Vec<&'static str> {
    let mut names = Vec::new();
    for row in rows {
        if !names.contains(&row.rival) {
            names.push(row.rival);
        }
    }
    names
}

fn print_head(words: &[&str], rivals: &[&str]) {
    let rule = [vec!["---"; words.len()], vec!["--:"; rivals.len()]].concat();
    println!("| {} |", [words, rivals].concat().join(" | "));
    println!("|{}|", rule.join("|"));
}

/// A time, and what it is over the onion's.
fn cell(ns: f64, onion: f64) -> String {
    format!("{ns:.0} ({:.2})", ns / onion)
}

fn geometric_mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = numbers.map(f64::ln).collect();
    (logs.iter().sum::<f64>() / logs.len() as f64).exp()
}
