//! The measurements as Markdown tables: rows in, lines of text out. Each line is printed as soon as its numbers are
//! known, so that a user can watch a long run.

use crate::agreement::MOST_DIFFERENT;
use crate::rows::{Difference, Faster, Mean, ONION, Row, Rows, Summary};

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

    fn kinds(&self) -> Vec<&'static str> {
        let mut kinds: Vec<&'static str> = Vec::new();
        for row in &self.rows {
            if !kinds.contains(&row.kind) {
                kinds.push(row.kind);
            }
        }
        kinds
    }

    /// Prints the memory over all hulls; the onion's file holds all of them.
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

    /// Prints the cost of the fast form.
    fn print_fast_forms(&self) {
        println!("\nThe fast form of the onion's files, and its share of the compile's time:\n");
        print_head(&["map"], &["KiB", "over trees", "s", "%"]);
        for form in &self.fast_forms {
            println!("{}", form.line());
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
            println!("{}", loading.line());
        }
    }

    /// Prints the share of answers that differ, over all maps, by kind.
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
        for kind in self.kinds() {
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

/// Prints the means over all maps and hulls.
fn print_means(summary: &Summary<'_>, rivals: &[&'static str]) {
    println!("\nGeometric means over maps and hulls, ns a query, and over the onion's:\n");
    print_head(&["kind", "order", "hulls"], rivals);
    for of_onion in summary.means.iter().filter(|mean| mean.rival == ONION) {
        let Mean {
            kind,
            order,
            is_point,
            ..
        } = *of_onion;
        let same = |mean: &&Mean| (mean.kind, mean.order, mean.is_point) == (kind, order, is_point);
        let means = summary.means.iter().filter(same);
        let cells: Vec<String> = means.map(|mean| cell(mean.ns, of_onion.ns)).collect();
        println!(
            "| {kind} | {order} | {} | {} |",
            hulls(is_point),
            cells.join(" | ")
        );
    }
}

/// Prints the same in the form of `BENCHMARKS.md`: orders side by side, and for rivals only their times relative to
/// the onion's.
fn print_ratios(summary: &Summary<'_>, rivals: &[&'static str]) {
    println!(
        "\nThe same for the page of benchmarks; orders are {}:\n",
        orders(summary).join(", ")
    );
    let Some((onion, others)) = rivals.split_first() else {
        return;
    };
    print_head(&["queries", &format!("{onion}, ns")], others);
    let mut printed = Vec::new();
    for Mean { kind, is_point, .. } in &summary.means {
        let key = (*kind, *is_point);
        if printed.contains(&key) {
            continue;
        }
        printed.push(key);
        let side_by_side = |rival: &&str, number: fn(&Mean) -> String| {
            let own = summary
                .means
                .iter()
                .filter(|mean| (mean.kind, mean.is_point) == key && mean.rival == *rival);
            own.map(number).collect::<Vec<_>>().join(", ")
        };
        let mut cells = vec![side_by_side(onion, |mean| format!("{:.0}", mean.ns))];
        let ratio = |mean: &Mean| format!("{:.2}", mean.ratio);
        cells.extend(others.iter().map(|rival| side_by_side(rival, ratio)));
        println!("| {kind}, {} | {} |", hulls(*is_point), cells.join(" | "));
    }
}

/// Returns the orders of queries, as they come.
fn orders(summary: &Summary<'_>) -> Vec<&'static str> {
    let mut orders = Vec::new();
    for mean in &summary.means {
        if !orders.contains(&mean.order) {
            orders.push(mean.order);
        }
    }
    orders
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
        let cells: Vec<String> = rivals.iter().map(ratio).collect();
        let Faster {
            map,
            kind,
            order,
            is_point,
            ..
        } = *case;
        let hulls = hulls(is_point);
        println!(
            "| {map} | {kind} | {order} | {hulls} | {} |",
            cells.join(" | ")
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
    let mut printed = Vec::new();
    for of_onion in summary.means.iter().filter(|mean| mean.rival == ONION) {
        let key = (of_onion.kind, of_onion.is_point);
        if printed.contains(&key) {
            continue;
        }
        printed.push(key);
        let same = |mean: &&Mean| (mean.kind, mean.is_point) == key && mean.order == of_onion.order;
        let means = summary.means.iter().filter(same);
        let cells: Vec<String> = means
            .map(|mean| match (mean.visits, mean.bytes_touched) {
                (Some(visits), Some(bytes)) => format!("{visits:.1}, {bytes:.0} B"),
                _ => "-".to_owned(),
            })
            .collect();
        println!("| {} | {} | {} |", key.0, hulls(key.1), cells.join(" | "));
    }
}

/// Returns the class of hulls for a table.
fn hulls(is_point: bool) -> &'static str {
    if is_point { "point" } else { "boxes" }
}

/// Returns the rivals of some rows, in their order.
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

/// Writes a time, and its ratio to the onion's.
fn cell(ns: f64, onion: f64) -> String {
    format!("{ns:.0} ({:.2})", ns / onion)
}
