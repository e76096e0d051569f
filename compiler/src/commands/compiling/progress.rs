//! The progress bar of a compile on a terminal: the finished stages, the maps being compiled, and the speed. It
//! appears once the work takes longer than a moment, and is hidden while text is printed.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use onion_compiler::stage::{Observer, Stage};
use onion_maps::wording::plain;

/// Duration of work that needs no bar.
const MOMENT: Duration = Duration::from_millis(500);

/// Interval at which the time on the bar advances.
const TICK: Duration = Duration::from_millis(100);

/// Limit on the maps that the bar names.
const MAX_NAMES: usize = 2;

/// A bar, visible or not.
#[derive(Clone)]
pub struct Progress {
    /// The bar, which counts stages of maps; hidden unless a user may see it.
    bar: ProgressBar,
    /// The state that the message beside the bar shows, shared by all threads.
    state: Arc<Mutex<State>>,
    /// When the compile began, for the rate of maps.
    start: Instant,
}

/// The state that the bar shows.
struct State {
    n_maps: usize,
    /// The number of maps that are finished, whether they failed or not.
    n_done: usize,
    /// The maps in work by number: their names, and the current stage of each.
    working: BTreeMap<usize, (String, Stage)>,
}

impl Progress {
    /// Returns a bar for some maps, which shows if a user may see it.
    pub fn new(n_maps: usize, is_wanted: bool) -> Self {
        let n_steps = (n_maps * Stage::ALL.len()) as u64;
        let bar = ProgressBar::with_draw_target(Some(n_steps), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} [{bar:24}] {wide_msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if is_wanted && !is_dumb && io::stderr().is_terminal() {
            show_later(&bar);
        }
        let state = State {
            n_maps,
            n_done: 0,
            working: BTreeMap::new(),
        };
        Self {
            bar,
            state: Arc::new(Mutex::new(state)),
            start: Instant::now(),
        }
    }

    /// Begins a map. Returns the observer of its stages.
    pub fn begin(&self, number: usize, map: &Path) -> Observer {
        let name = map.file_name().unwrap_or(map.as_os_str());
        let name = plain(&name.to_string_lossy()).into_owned();
        self.change(|state| {
            state.working.insert(number, (name, Stage::ALL[0]));
        });
        let own = self.clone();
        Observer::new(move |finished| own.finish(number, finished))
    }

    /// Records that a map has finished a stage, and shows the stage that follows.
    fn finish(&self, number: usize, finished: Stage) {
        self.bar.inc(1);
        self.change(|state| {
            let next = Stage::ALL.get(finished.number());
            if let (Some((_, stage)), Some(next)) = (state.working.get_mut(&number), next) {
                *stage = *next;
            }
        });
    }

    /// Marks a map as finished or failed.
    pub fn end(&self, number: usize) {
        self.change(|state| {
            state.working.remove(&number);
            state.n_done += 1;
            let n_steps = state.n_done * Stage::ALL.len();
            let in_work = state.working.values().map(|(_, stage)| stage.number() - 1);
            self.bar
                .set_position((n_steps + in_work.sum::<usize>()) as u64);
        });
    }

    /// Prints with the bar out of the way.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Removes the bar, so that text can be printed.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Changes the state and shows it.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        self.bar.set_message(state.text(self.start.elapsed()));
    }
}

/// Shows a bar after a moment, if it is still there.
fn show_later(bar: &ProgressBar) {
    let bar = bar.downgrade();
    thread::spawn(move || {
        thread::sleep(MOMENT);
        if let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(TICK);
        }
    });
}

impl State {
    /// Returns the message: how many maps are done, how fast, and which are being compiled. `time` is the time since
    /// the start.
    fn text(&self, time: Duration) -> String {
        let mut text = String::new();
        if self.n_maps > 1 {
            let _ = write!(text, "{} of {} maps", self.n_done, self.n_maps);
            if self.n_done > 0 {
                let rate = self.n_done as f64 / time.as_secs_f64();
                let _ = write!(text, ", {rate:.1} a second");
            }
        }
        for (name, stage) in self.working.values().take(MAX_NAMES) {
            let comma = if text.is_empty() { "" } else { "; " };
            let n_stages = Stage::ALL.len();
            let _ = write!(
                text,
                "{comma}{name}: {stage} ({} of {n_stages})",
                stage.number()
            );
        }
        text
    }
}
