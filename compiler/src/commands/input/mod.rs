//! What commands read: maps and what they need from archives and games, project files, hulls, and batches of queries.
//! Bad input becomes an error with its file and place.

pub mod csv;
pub mod hulls;
pub mod project;
pub mod reading;
pub mod sources;
