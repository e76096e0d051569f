//! The measurements as Markdown tables: rows in, lines of text out. Each line is printed as soon as its numbers are
//! known, so that a user can watch a long run.

use crate::agreement::MAX_DIFFERENT;
use crate::fast_form::FastForm;
use crate::loading::Loading;
use crate::rows::{Class, Difference, Faster, Mean, ONION, Row, Rows, Summary, distinct};

impl Rows {
    /// Adds the rows of all rivals for one list of queries, the onion's first, and prints them as a line; the first
    /// line comes with a header.
    pub fn add(&mut self, line: Vec<Row>) {
        let Some(first) = line.first() else {
            return;
        };
        if self.rows.is_empty() {
            print_head(&["map", "kind", "order", "hull"], &names(&line));
        }
        let cells = line.iter().map(|row| cell(row.ns, first.ns));
        let Class { kind, order, .. } = first.class;
        print_row(&[&first.map, kind, order, &first.hull], cells);
        self.rows.extend(line);
    }

    /// Prints the cases in which rivals are faster, means, memory, the cost of the fast form and of loading, and
    /// differences.
    pub fn print_summary(&self) {
        let rivals = names(&self.rows);
        let summary = self.summary();
        print_faster(&summary.faster, &rivals);
        print_means(&summary, &rivals);
        print_ratios(&summary, &rivals);
        print_visits(&summary, &rivals);
        self.print_bytes(&rivals);
        self.print_fast_forms();
        self.print_loading();
        self.print_differences(&rivals);
    }

    /// Prints the memory over all hulls; the onion's file holds all of them.
    fn print_bytes(&self, rivals: &[&'static str]) {
        println!("\nKiB that queries may read, all hulls of a map together:\n");
        print_head(&["map"], rivals);
        for map in distinct(self.rows.iter().map(|row| &row.map)) {
            let total = |rival: &&'static str| {
                let own = |row: &&Row| row.map == *map && row.rival == *rival;
                let own = self.rows.iter().filter(own);
                let of_hulls = distinct(own.map(|row| (&row.hull, row.bytes)));
                let shared = if *rival == ONION { 1 } else { usize::MAX };
                let bytes: usize = of_hulls.iter().take(shared).map(|(_, bytes)| bytes).sum();
                format!("{}", bytes >> 10)
            };
            print_row(&[map], rivals.iter().map(total));
        }
    }

    /// Prints the cost of the fast form.
    fn print_fast_forms(&self) {
        println!("\nThe fast form of the onion's files, and its share of the compile's time:\n");
        print_head(&["map"], &["KiB", "over trees", "s", "%"]);
        for form in &self.fast_forms {
            let FastForm {
                map,
                bytes,
                over_trees,
                seconds,
                share,
            } = form;
            let (kib, percent) = (bytes >> 10, 100.0 * share);
            println!("| {map} | {kib} | {over_trees:.2} | {seconds:.2} | {percent:.0} |");
        }
    }

    /// Prints the cost of loading.
    fn print_loading(&self) {
        println!("\nLoading the onion's file, and that over adding up its bytes:\n");
        print_head(
            &["map"],
            &["nodes", "bytes a node", "ms", "ns a node", "over sum"],
        );
        for loading in &self.loading {
            let Loading {
                map,
                nodes,
                bytes,
                ms,
                over_sum,
            } = loading;
            let each = (*nodes).max(1) as f64;
            let (ns, size) = (ms * 1e6 / each, *bytes as f64 / each);
            println!("| {map} | {nodes} | {size:.0} | {ms:.2} | {ns:.1} | {over_sum:.2} |");
        }
    }

    /// Prints the share of answers that differ, over all maps, by kind.
    fn print_differences(&self, rivals: &[&'static str]) {
        println!(
            "\nAnswers that differ from the onion's, too early + too late, in percent (an exact rival may \
             have {} %):\n",
            100.0 * MAX_DIFFERENT
        );
        let rivals = &rivals[rivals.len().min(1)..];
        print_head(&["kind"], rivals);
        for kind in distinct(self.rows.iter().map(|row| row.class.kind)) {
            let share = |rival: &&'static str| {
                let same = |row: &&Difference| row.kind == kind && row.rival == *rival;
                let sum = |of: fn(&Difference) -> usize| {
                    self.differences.iter().filter(same).map(of).sum::<usize>() as f64
                };
                let percent = |of| 100.0 * sum(of) / sum(|row| row.compared).max(1.0);
                let [early, late] = [percent(|row| row.early), percent(|row| row.late)];
                format!("{early:.3} + {late:.3}")
            };
            print_row(&[kind], rivals.iter().map(share));
        }
    }
}

/// Prints the means over all maps and hulls.
fn print_means(summary: &Summary<'_>, rivals: &[&'static str]) {
    println!("\nGeometric means over maps and hulls, ns a query, and over the onion's:\n");
    print_head(&["kind", "order", "hulls"], rivals);
    for of_onion in summary.means.iter().filter(|mean| mean.rival == ONION) {
        let class = of_onion.class;
        let means = summary.means.iter().filter(|mean| mean.class == class);
        let cells = means.map(|mean| cell(mean.ns, of_onion.ns));
        print_row(&[class.kind, class.order, hulls(class.is_point)], cells);
    }
}

/// Prints the same in the form of `BENCHMARKS.md`: orders side by side, and for rivals only their times relative to
/// the onion's.
fn print_ratios(summary: &Summary<'_>, rivals: &[&'static str]) {
    println!(
        "\nThe same for the page of benchmarks; orders are {}:\n",
        distinct(summary.means.iter().map(|mean| mean.class.order)).join(", ")
    );
    let Some((onion, others)) = rivals.split_first() else {
        return;
    };
    print_head(&["queries", &format!("{onion}, ns")], others);
    let key = |mean: &Mean| (mean.class.kind, mean.class.is_point);
    for (kind, is_point) in distinct(summary.means.iter().map(key)) {
        let side_by_side = |rival: &&str, number: fn(&Mean) -> String| {
            let is_own = |mean: &&Mean| key(mean) == (kind, is_point) && mean.rival == *rival;
            let own = summary.means.iter().filter(is_own);
            own.map(number).collect::<Vec<_>>().join(", ")
        };
        let ns = side_by_side(onion, |mean| format!("{:.0}", mean.ns));
        let ratio = |mean: &Mean| format!("{:.2}", mean.ratio);
        let ratios = others.iter().map(|rival| side_by_side(rival, ratio));
        print_row(&[&format!("{kind}, {}", hulls(is_point)), &ns], ratios);
    }
}

/// Prints a row for each map, kind and order in which a rival is faster, the worst first.
fn print_faster(faster: &[Faster<'_>], rivals: &[&'static str]) {
    println!("\nWhere a rival is faster: its time over the onion's, geometric means over hulls:\n");
    let rivals = &rivals[rivals.len().min(1)..];
    print_head(&["map", "kind", "order", "hulls"], rivals);
    for case in faster {
        let ratio = |rival: &&'static str| {
            let own = case.ratios.iter().find(|(name, _)| name == rival);
            own.map_or("-".to_owned(), |(_, ratio)| format!("{ratio:.2}"))
        };
        let Class {
            kind,
            order,
            is_point,
        } = case.class;
        print_row(
            &[case.map, kind, order, hulls(is_point)],
            rivals.iter().map(ratio),
        );
    }
}

/// Prints visits and bytes read, which depend on the order of queries only for rivals that get a part of them: the
/// first order represents all.
fn print_visits(summary: &Summary<'_>, rivals: &[&'static str]) {
    println!(
        "\nVisits of nodes and brushes a query, and bytes read: of nodes, planes, lists and sides of brushes, each time \
         that one is read, not distinct cache lines; no stacks. Of a polyhedron, `parry` counts its corners once, and \
         reads them more often. The onion counts nothing. Means over maps and hulls:\n"
    );
    print_head(&["kind", "hulls"], rivals);
    let Some(first) = summary.means.first() else {
        return;
    };
    let is_first = |mean: &&Mean| mean.class.order == first.class.order;
    let of_first: Vec<&Mean> = summary.means.iter().filter(is_first).collect();
    for class in distinct(of_first.iter().map(|mean| mean.class)) {
        let same = of_first.iter().filter(|mean| mean.class == class);
        let cells = same.map(|mean| match (mean.visits, mean.bytes_touched) {
            (Some(visits), Some(bytes)) => format!("{visits:.1}, {bytes:.0} B"),
            _ => "-".to_owned(),
        });
        print_row(&[class.kind, hulls(class.is_point)], cells);
    }
}

/// Returns the class of hulls for a table.
fn hulls(is_point: bool) -> &'static str {
    if is_point { "point" } else { "boxes" }
}

/// Returns the rivals of some rows, in their order.
fn names(rows: &[Row]) -> Vec<&'static str> {
    distinct(rows.iter().map(|row| row.rival))
}

fn print_row(words: &[&str], cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.collect();
    println!("| {} | {} |", words.join(" | "), cells.join(" | "));
}

fn print_head(words: &[&str], rivals: &[&str]) {
    let rule = [vec!["---"; words.len()], vec!["--:"; rivals.len()]].concat();
    println!("| {} |", [words, rivals].concat().join(" | "));
    println!("|{}|", rule.join("|"));
}

/// Writes a time, and its ratio to the onion's.
fn cell(ns: f64, onion: f64) -> String {
    format!("{ns:.0} ({:.2})", ns / onion)
}
