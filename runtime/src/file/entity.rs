//! The entities of a map, as stored in the file: keys and values, borrowed from the file without parsing. A model
//! knows the entity that shows it, and an entity knows the model that it shows.

use core::fmt;

use crate::error::Unsupported;
use crate::file::view::View;
use crate::map::OnionMap;
use crate::model::Model;

/// An entity of a map, such as a player start, a light or a door. Its keys and values are those of the map.
#[derive(Clone, Copy)]
pub struct Entity<'a> {
    /// The file, from which keys are read each time they are asked for.
    map: View<'a>,
    /// Number of the entity in the map.
    number: u32,
    /// Keys and values, each terminated by a zero byte.
    text: &'a str,
}

/// Prints the keys and values.
impl fmt::Debug for Entity<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entity {} ", self.number)?;
        f.debug_map().entries(self.pairs()).finish()
    }
}

impl<'a> Entity<'a> {
    /// Returns its number in the map, as [`Model::entity_number`] does.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Returns the value of a key, or `None` if the entity does not have the key.
    ///
    /// ```
    /// # let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/low_tunnel.onion");
    /// # let map = onion_runtime::OnionMap::from_bytes(std::fs::read(golden)?)?;
    /// let is_start = |entity: &onion_runtime::Entity<'_>| {
    ///     entity.get("classname") == Some("info_player_deathmatch")
    /// };
    /// let start = map.entities()?.find(is_start);
    /// # assert!(start.is_some_and(|start| start.get("origin").is_some()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get(&self, key: &str) -> Option<&'a str> {
        let mut pairs = self.pairs();
        pairs.find(|&(own, _)| own == key).map(|(_, value)| value)
    }

    /// Returns its keys and values, in the map's order; no key occurs twice.
    pub fn pairs(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        // Keys and values in turn; loading checked that their number is even.
        let mut strings = self.text.split_terminator('\0');
        core::iter::from_fn(move || strings.next().zip(strings.next()))
    }

    /// Returns the model that it shows, such as a door's, or `None` if it shows none.
    pub fn model(&self) -> Option<Model<'a>> {
        let mut models = self.map.models().iter();
        // Models name their entities, so that a file without entities knows them, too.
        let index = models.position(|model| model.entity == self.number)?;
        Some(Model::new(self.map, index))
    }
}

impl<'a> View<'a> {
    /// Returns the entity with this number in the map.
    pub(crate) fn entity(self, number: u32) -> Option<Entity<'a>> {
        let index = number as usize;
        let first = self.entities().get(index)?.first as usize;
        let text = self.text().all_bytes();
        let next = self.entities().get(index + 1);
        let end = next.map_or(text.len(), |next| next.first as usize);
        // Only the entity's own text is checked again: whole files are checked when they are loaded, but no `str` of
        // one is kept.
        let text = core::str::from_utf8(text.get(first..end)?).ok()?;
        Some(Entity {
            map: self,
            number,
            text,
        })
    }
}

impl<D: AsRef<[u8]>> OnionMap<D> {
    /// Returns the entities of the map, in its order; their numbers count from 0.
    ///
    /// # Errors
    /// [`Unsupported::NoEntities`] if the file was compiled with `--no-entities`.
    pub fn entities(&self) -> Result<impl ExactSizeIterator<Item = Entity<'_>>, Unsupported> {
        let map = self.view();
        if !map.has_entities() {
            return Err(Unsupported::NoEntities);
        }
        let none = Entity {
            map,
            number: u32::MAX,
            text: "",
        };
        let numbers = 0..map.entities().len() as u32;
        // Loading checked that every entity exists.
        Ok(numbers.map(move |number| map.entity(number).unwrap_or(none)))
    }

    /// Returns the entity with this number, or `None` if there is none or the file was compiled with `--no-entities`.
    pub fn entity(&self, number: u32) -> Option<Entity<'_>> {
        self.view().entity(number)
    }
}

impl<'a> Model<'a> {
    /// Returns the entity that shows the model, such as a door. `None` if no entity does, or the file was compiled
    /// with `--no-entities`.
    pub fn entity(&self) -> Option<Entity<'a>> {
        self.map.entity(self.entity_number()?)
    }
}
