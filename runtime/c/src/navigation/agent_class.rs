//! Classes of agents by number: the hulls that are the stances of one agent, and how it moves; and the class that a
//! hull belongs to.

use onion_runtime::OnionMap;

use super::state::AgentClassState;
use crate::hull::hull_id;
use crate::pointer::{MapIn, Out};
use crate::status::Status;

/// `ONION_NO_AGENT_CLASS`: the number of no class of agents.
pub const NO_AGENT_CLASS: u32 = u32::MAX;

/// Returns a map whose file holds classes of agents and links.
pub(super) fn with_links(map: &MapIn) -> Result<&OnionMap<&'static [u8]>, Status> {
    let map = map.get()?;
    map.has_links().then_some(map).ok_or(Status::NoLinks)
}

/// Counts `OnionMap::agents`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_agent_class_count(map: MapIn, count: Out<u32>) -> Status {
    Status::of(|| {
        let count = count.place()?;
        count.write(with_links(&map)?.agents().count() as u32);
        Ok(())
    })
}

/// Returns a class of `OnionMap::agents`, with its name.
#[unsafe(no_mangle)]
pub extern "C" fn onion_get_agent_class(
    map: MapIn,
    number: u32,
    class: Out<AgentClassState>,
) -> Status {
    Status::of(|| {
        let place = class.place()?;
        let map = with_links(&map)?;
        let class = map.agents().nth(number as usize);
        let class = class.ok_or(Status::AgentClass)?;
        let name = map.agent_name(&class).ok_or(Status::AgentClass)?;
        place.write(AgentClassState::new(&class, name));
        Ok(())
    })
}

/// Wraps `OnionMap::agent_of`.
#[unsafe(no_mangle)]
pub extern "C" fn onion_agent_class_of(map: MapIn, hull: u64, number: Out<u32>) -> Status {
    Status::of(|| {
        let number = number.place()?;
        let map = with_links(&map)?;
        let class = map.agent_of(hull_id(map, hull)?);
        number.write(class.map_or(NO_AGENT_CLASS, |class| class.number));
        Ok(())
    })
}
