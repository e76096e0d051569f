//! Links between floors: each by its number in the file, and the numbers of those that leave a floor. The links of a
//! floor follow one another.

use onion_runtime::navigation::Link;

use super::agent_class::with_links;
use crate::pointer::{MapIn, Out};
use crate::status::Status;

/// The C type `onion_link`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "onion.h tells what they are")]
pub struct LinkInfo {
    pub right: [f64; 2],
    pub left: [f64; 2],
    pub across: [f64; 2],
    pub from: u32,
    pub to: u32,
    pub kind: u32,
    pub turns: [u8; 2],
    pub only_to_goal: u8,
    pub upright: u8,
}

impl From<Link> for LinkInfo {
    fn from(link: Link) -> Self {
        Self {
            right: link.right,
            left: link.left,
            across: link.across,
            from: link.from,
            to: link.to,
            kind: link.kind as u32,
            turns: link.turns.map(u8::from),
            only_to_goal: link.only_to_goal.into(),
            upright: link.upright.into(),
        }
    }
}

/// Wraps `OnionMap::n_links`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_link_count(map: MapIn, count: Out<u32>) -> Status {
    Status::of(|| {
        let count = count.place()?;
        count.write(with_links(&map)?.n_links() as u32);
        Ok(())
    })
}

/// Wraps `OnionMap::link`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_get_link(map: MapIn, number: u32, link: Out<LinkInfo>) -> Status {
    Status::of(|| {
        let link = link.place()?;
        let found = with_links(&map)?.link(number);
        link.write(found.ok_or(Status::Link)?.into());
        Ok(())
    })
}

/// Returns the numbers of `OnionMap::links_from`, which follow one another.
#[unsafe(no_mangle)]
pub extern "C" fn onion_links_from(
    map: MapIn,
    floor: u32,
    first: Out<u32>,
    count: Out<u32>,
) -> Status {
    Status::of(|| {
        let (first, count) = (first.place()?, count.place()?);
        let map = with_links(&map)?;
        map.floor(floor).ok_or(Status::Floor)?;
        let mut links = map.links_from(floor).map(|link| link.number);
        let start = links.next();
        first.write(start.unwrap_or_default());
        count.write(start.map_or(0, |_| 1 + links.count()) as u32);
        Ok(())
    })
}
