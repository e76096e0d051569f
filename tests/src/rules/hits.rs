//! Rules for surfaces, brushes and sides, and for the hits of nodes. Each row has a text that says how a rule is
//! broken, and a function that plants the fault and returns the runtime's error, which names the first wrong record.

use onion_format::{
    BrushRecord, ChoiceRecord, HitAt, HitRecord, ModelRecord, PlaneRecord, SideRecord,
    SurfaceRecord,
};

use super::rule::{Rule, at, beyond, change, last, one_less, one_more};
use crate::planted::{count, edit, record, replace};

/// Returns the number of a choice that leads to another one.
fn choice_of_choices(file: &[u8]) -> usize {
    let leads_on = |&number: &usize| {
        let choice = record::<ChoiceRecord>(file, number);
        choice.hits.iter().any(|&hit| HitAt(hit).is_choice())
    };
    (0..count(file, ChoiceRecord::TAG)).find(leads_on).unwrap()
}

/// Rules for surfaces, brushes and sides.
pub(super) const BRUSHES: &[Rule] = &[
    ("a surface's name with more behind its end", |file| {
        change::<SurfaceRecord>(file, 1, |surface| surface.name[63] = b'x')
    }),
    ("a model that is not there", |file| {
        let brush = last::<BrushRecord>(file);
        beyond::<ModelRecord, BrushRecord>(file, brush, |brush, n_models| brush.model = n_models)
    }),
    ("brushes out of order", |file| {
        edit::<BrushRecord>(file, 0, |brush| brush.model = 1);
        at::<BrushRecord>(1)
    }),
    ("an unknown kind", |file| {
        change::<BrushRecord>(file, 1, |brush| brush.kind = 2)
    }),
    ("made of nothing", |file| {
        change::<BrushRecord>(file, 1, |brush| brush.contents = 0)
    }),
    ("sides from the second on", |file| {
        change::<BrushRecord>(file, 0, |brush| brush.first_side = 1)
    }),
    ("a brush without sides", |file| {
        let first = record::<BrushRecord>(file, 1).first_side;
        change::<BrushRecord>(file, 2, |brush| brush.first_side = first)
    }),
    ("sides that are not there", |file| {
        let brush = last::<BrushRecord>(file);
        beyond::<SideRecord, BrushRecord>(file, brush, |brush, n_sides| brush.first_side = n_sides)
    }),
    ("a side that is there twice", |file| {
        let number = record::<SideRecord>(file, 0).number;
        change::<SideRecord>(file, 1, |side| side.number = number)
    }),
    ("a side's surface that is not there", |file| {
        beyond::<SurfaceRecord, SideRecord>(file, 1, |side, n_surfaces| side.surface = n_surfaces)
    }),
    ("sides that begin again", |file| {
        change::<BrushRecord>(file, 2, |brush| brush.first_side = 0)
    }),
    ("sides out of order", |file| {
        let [first, second] = [0, 1].map(|side| record::<SideRecord>(file, side));
        edit::<SideRecord>(file, 0, |side| side.number = second.number);
        change::<SideRecord>(file, 1, |side| side.number = first.number)
    }),
    ("sides of no brush", |file| {
        replace::<BrushRecord>(file, &[]);
        at::<SideRecord>(0)
    }),
];

/// Rules for hits and choices.
pub(super) const HITS: &[Rule] = &[
    ("a node too many", one_more::<HitRecord>),
    ("a side that is not there", |file| {
        beyond::<SideRecord, HitRecord>(file, 1, |node, n_sides| node.hit = n_sides)
    }),
    ("a choice that is not there", |file| {
        beyond::<ChoiceRecord, HitRecord>(file, 1, |node, n_choices| {
            node.hit = HitAt::choice(n_choices).0
        })
    }),
    ("a choice that leads to itself", |file| {
        let number = choice_of_choices(file);
        let own = HitAt::choice(number as u32).0;
        change::<ChoiceRecord>(file, number, |choice| choice.hits[1] = own)
    }),
    ("a choice by an unknown test", |file| {
        change::<ChoiceRecord>(file, 0, |choice| choice.test = 3 << 30)
    }),
    ("a choice by a plane that is not there", |file| {
        beyond::<PlaneRecord, ChoiceRecord>(file, 0, |choice, n_planes| choice.test = n_planes)
    }),
    ("a choice by a hull beyond all", |file| {
        change::<ChoiceRecord>(file, 0, |choice| choice.test = 1 << 30 | 64)
    }),
    ("a node too few", one_less::<HitRecord>),
    ("a bevel of a side that is not there", |file| {
        beyond::<SideRecord, HitRecord>(file, 1, |node, n_sides| {
            node.hit = HitAt::BEVEL_BIT | n_sides
        })
    }),
    ("a choice whose first hit is itself", |file| {
        change::<ChoiceRecord>(file, 0, |choice| choice.hits[0] = HitAt::choice(0).0)
    }),
    ("a choice that leads to a later one", |file| {
        change::<ChoiceRecord>(file, 0, |choice| choice.hits[1] = HitAt::choice(1).0)
    }),
    ("a choice of a side that is not there", |file| {
        beyond::<SideRecord, ChoiceRecord>(file, 0, |choice, n_sides| choice.hits[0] = n_sides)
    }),
    ("a choice by looks with a number", |file| {
        change::<ChoiceRecord>(file, 0, |choice| choice.test = 2 << 30 | 1)
    }),
];
