//! The measurements as Markdown tables: measurements in, lines of text out. One table shows the growth of time and
//! memory with the map, another one the time of each stage.

use std::fmt::Write;

use crate::measure::{Measured, Run};

/// Writes a table of sizes, times, growth from one line to the next, and memory.
pub fn growth(all: &[Measured]) -> String {
    let head = [
        "map",
        "brushes",
        "pieces",
        "hulls",
        "faces",
        "nodes",
        "1 thread s",
        "(median)",
        "2 threads s",
        "(median)",
        "speedup",
        "size x",
        "time x",
        "exponent",
        "peak MiB",
        "peak x",
        "B/(brush hull)",
    ];
    let rows = all.iter().enumerate().map(|(number, measured)| {
        let before = number.checked_sub(1).map(|before| &all[before]);
        growth_row(measured, before)
    });
    table(&head, rows)
}

fn growth_row(measured: &Measured, before: Option<&Measured>) -> Vec<String> {
    let first = &measured.one[0];
    let [one, two] = [least(&measured.one), least(&measured.two)];
    let peak = peak(&measured.one);
    let size = n_convex(first) as f64;
    let ratios = before.map(|before| {
        let size = size / n_convex(&before.one[0]) as f64;
        let time = one / least(&before.one);
        let memory = peak.zip(self::peak(&before.one));
        (
            size,
            time,
            memory.map(|(now, then)| now as f64 / then as f64),
        )
    });
    let or_blank = |number: Option<f64>| number.map_or(String::new(), |x| format!("{x:.2}"));
    let per_brush = peak.map(|peak| {
        let pairs = first.count("n_brushes") * measured.n_hulls as u64;
        format!("{}", peak / pairs.max(1))
    });
    let not_known = || "not known".to_owned();
    vec![
        measured.map.clone(),
        first.count("n_brushes").to_string(),
        first.count("n_patch_pieces").to_string(),
        measured.n_hulls.to_string(),
        first.count("n_faces").to_string(),
        first.count("n_nodes").to_string(),
        format!("{one:.3}"),
        format!("{:.3}", median(&measured.one)),
        format!("{two:.3}"),
        format!("{:.3}", median(&measured.two)),
        format!("{:.2}", one / two),
        or_blank(ratios.map(|(size, ..)| size)),
        or_blank(ratios.map(|(_, time, _)| time)),
        or_blank(ratios.map(|(size, time, _)| time.ln() / size.ln())),
        peak.map_or_else(not_known, |peak| {
            format!("{:.1}", peak as f64 / 1_048_576.0)
        }),
        or_blank(ratios.and_then(|(.., memory)| memory)),
        per_brush.unwrap_or_else(not_known),
    ]
}

/// Writes a table of the least seconds of each stage at 1 thread, its share of all stages, its growth, and its
/// speedup with 2 threads.
pub fn stages(all: &[Measured]) -> String {
    let names: Vec<&str> = all[0].one[0]
        .stages()
        .iter()
        .map(|(name, _)| *name)
        .collect();
    let mut head = vec!["map", "what"];
    head.extend(&names);
    let mut rows = Vec::new();
    let mut before: Option<Vec<f64>> = None;
    for measured in all {
        let [one, two] = [&measured.one, &measured.two].map(|runs| {
            names
                .iter()
                .map(|name| stage(runs, name))
                .collect::<Vec<_>>()
        });
        let mut row = |what: &str, cells: Vec<String>| {
            rows.push([vec![measured.map.clone(), what.to_owned()], cells].concat());
        };
        row(
            "1 thread s",
            one.iter().map(|x| format!("{x:.3}")).collect(),
        );
        let all: f64 = one.iter().sum();
        let share = |seconds: &f64| format!("{:.1}", seconds / all * 100.0);
        row("share %", one.iter().map(share).collect());
        if let Some(before) = before {
            row("time x", ratios(&one, &before));
        }
        row("speedup", ratios(&one, &two));
        before = Some(one);
    }
    table(&head, rows.into_iter())
}

/// Writes a table of the least time of the current binary relative to the baseline, both at 1 thread.
pub fn baseline(all: &[Measured]) -> String {
    let head = [
        "map",
        "baseline s",
        "current s",
        "current / baseline",
        "bytes of the file, current / baseline",
    ];
    let ratio = |measured: &Measured| least(&measured.one) / least(&measured.baseline);
    let rows = all.iter().map(|measured| {
        let [current, baseline] = [&measured.one, &measured.baseline];
        let sizes = [current, baseline].map(|runs| runs[0].count("bytes"));
        vec![
            measured.map.clone(),
            format!("{:.3}", least(baseline)),
            format!("{:.3}", least(current)),
            format!("{:.3}", ratio(measured)),
            format!("{} / {}", sizes[0], sizes[1]),
        ]
    });
    let mean = all.iter().map(|measured| ratio(measured).ln()).sum::<f64>() / all.len() as f64;
    let table = table(&head, rows);
    format!(
        "{table}\ngeometric mean of current / baseline: {:.3}\n",
        mean.exp()
    )
}

fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}

/// Returns the number of expanded convex volumes: brushes and pieces of patches.
fn n_convex(run: &Run) -> u64 {
    run.count("n_brushes") + run.count("n_patch_pieces")
}

fn ratios(over: &[f64], under: &[f64]) -> Vec<String> {
    let pairs = over.iter().zip(under);
    pairs
        .map(|(over, under)| match under {
            0.001.. => format!("{:.2}", over / under),
            _ => String::new(),
        })
        .collect()
}

fn least(runs: &[Run]) -> f64 {
    runs.iter()
        .map(|run| run.seconds)
        .fold(f64::INFINITY, f64::min)
}

fn median(runs: &[Run]) -> f64 {
    let mut seconds: Vec<f64> = runs.iter().map(|run| run.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let half = seconds.len() / 2;
    let lower = seconds[half - usize::from(seconds.len().is_multiple_of(2))];
    (lower + seconds[half]) / 2.0
}

fn peak(runs: &[Run]) -> Option<u64> {
    runs.iter().filter_map(|run| run.peak_bytes).max()
}

fn stage(runs: &[Run], name: &str) -> f64 {
    let seconds = runs.iter().flat_map(Run::stages);
    seconds
        .filter(|(stage, _)| *stage == name)
        .map(|(_, seconds)| seconds)
        .fold(f64::INFINITY, f64::min)
}
