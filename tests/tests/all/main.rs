//! All tests of answers: one program, so that it is linked once and each map is compiled once for all of
//! them. `cargo test -p onion-tests --test all -- movement::` runs those of one module.

mod any_shape;
mod audit;
mod bad_maps;
mod c_interface;
mod cost;
mod dumps;
mod expansion;
mod fast;
mod features;
mod files;
mod fill;
mod game;
mod groups;
mod javascript;
mod loader;
mod movement;
mod mover_facts;
mod movers;
mod oracle;
mod packages;
mod patches;
mod places;
mod plane_shift;
mod predicates;
mod queries;
mod quick;
mod regressions;
mod same_bits;
mod sample_facts;
mod shape_facts;
mod shapes;
mod soak;
mod surfaces;
mod tiles;
mod verify;
