//! What commands write: files that are replaced as a whole, the standard streams, and messages.
//! An output that would destroy something else is refused.

pub mod files;
pub mod kinds;
pub mod message;
pub mod outputs;
