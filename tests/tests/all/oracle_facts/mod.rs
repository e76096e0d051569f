//! The oracle's own tests: facts worked out by hand, random solids against the divergence theorem, and real maps. Small
//! solids go in; the oracle's answers about them come out.

mod convex;
mod expand;
mod gap;
mod ibsp;
mod moving;
mod names;
mod parts;
mod real_maps;
mod sandwich;
mod testing;
mod world;
