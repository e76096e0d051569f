//! Checks classes of agents and links: hulls and floors exist, and numbers are finite and in their ranges. The
//! compiler drove an agent across each link, and `onionc verify` does it again.

use onion_format::{AgentRecord, DIST_LIMIT, FloorLinksRecord, HullSet, LinkRecord, unpadded};

use crate::error::{LoadError, require};
use crate::file::view::View;

/// Checks the chunks of links, if the file has them.
pub(super) fn check(map: &View<'_>) -> Result<(), LoadError> {
    if !map.has_links() {
        return Ok(());
    }
    let agents = map.agents();
    let mut free = map.all_hulls();
    for (index, agent) in agents.iter().enumerate() {
        let hulls = HullSet::from_bits(agent.hulls);
        let has_own = !hulls.is_empty() && hulls.without(free).is_empty();
        require::<AgentRecord>(has_own, index, "it has hulls, which no other class has")?;
        free = free.without(hulls);
        let is_new = agents
            .iter()
            .take(index)
            .all(|other| other.name != agent.name);
        require::<AgentRecord>(is_new, index, "names are not repeated")?;
        let rule = "it has a name, and numbers in their ranges";
        require::<AgentRecord>(is_agent(&agent), index, rule)?;
    }
    let graph = map.floor_graph();
    let (n_floors, n_links) = (map.floors().len(), map.links().len());
    let ranges = map.links_of_floors();
    let rule = "one for each floor";
    require::<FloorLinksRecord>(ranges.len() == n_floors, ranges.len(), rule)?;
    let mut before = 0;
    for (index, range) in ranges.iter().enumerate() {
        let follows = before <= range.first && (index > 0 || range.first == 0);
        let rule = "its links exist, and follow those before";
        require::<FloorLinksRecord>(follows && range.first as usize <= n_links, index, rule)?;
        before = range.first;
    }
    for (index, link) in map.links().iter().enumerate() {
        let left = graph.link(index as u32).map(|(floor, _)| floor);
        let corners = [left, Some(link.to())].map(|floor| graph.corners(floor?));
        let exist = corners.iter().all(Option::is_some);
        require::<LinkRecord>(exist, index, "its floors exist")?;
        if let Some(lands) = link.lands() {
            // Written so that NaN fails.
            let is_place = lands.iter().all(|at| f64::from(at.abs()) < DIST_LIMIT);
            let is_known = link.kind() <= LinkRecord::LIFT && link.turns() == 0;
            let rule = "a known kind, no turns, and a place that it leads to";
            require::<LinkRecord>(is_known && is_place, index, rule)?;
            continue;
        }
        let owner = corners[usize::from(link.kind() == LinkRecord::STAND)];
        let has_edge = owner.is_some_and(|corners| usize::from(link.edge) < corners.len());
        let is_part = link.part[0] <= link.part[1];
        let rule = "a part of an edge that exists";
        require::<LinkRecord>(has_edge && is_part, index, rule)?;
        let walks = link.kind() == LinkRecord::WALK;
        require::<LinkRecord>(
            !walks || link.across == 0,
            index,
            "no way across if it walks",
        )?;
    }
    Ok(())
}

/// Whether a class of agents is valid by itself.
fn is_agent(agent: &AgentRecord) -> bool {
    let name = unpadded(&agent.name);
    let padding = &agent.name[name.len()..];
    // Written so that NaN fails.
    let is_size = |number: f32| number >= 0.0 && f64::from(number) < DIST_LIMIT;
    !name.is_empty()
        && padding.iter().all(|&byte| byte == 0)
        && core::str::from_utf8(name).is_ok_and(|name| !name.contains(char::is_control))
        && [agent.step, agent.jump, agent.drop, agent.swim, agent.climb]
            .into_iter()
            .all(is_size)
        && [agent.speed, agent.gravity]
            .into_iter()
            .all(|rate| rate > 0.0 && is_size(rate))
        && agent.min_ground_z > 0.0
        && agent.min_ground_z <= 1.0
}
