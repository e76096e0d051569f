//! Pictures: their colors match the oracle at the places behind the pixels, and their bytes are the same with any
//! number of threads, and the same as those of a picture that a person reviewed.

use onion_compiler::Fill;
use onion_maps::Map;
use onion_runtime::OnionMap;
use onion_tests::cases::{Case, sample_case};
use onion_tests::fixtures::{assert_golden, compiled, filled, loaded, made};
use onion_tests::{rooms, samples, subject};
use onion_views::picture::{Picture, PictureOptions, Sight, Subject, draw};
use onion_views::walls;

/// Colors of the palette, by hand: solid for only the larger of two hulls, walls and items.
const STAND_ONLY: [u8; 3] = [0xF6, 0xB0, 0x4D];
const WALL: [u8; 3] = [0x2B, 0x34, 0x41];
const ITEM: [u8; 3] = [0xE2, 0xA1, 0x12];

fn options(subject: Subject) -> PictureOptions {
    PictureOptions {
        subject,
        size: 800,
        hull: None,
        costs: false,
        floors: false,
        title: "map".to_owned(),
    }
}

/// Returns the pixels of a PNG file, three bytes each.
fn decode(picture: &Picture) -> Vec<[u8; 3]> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(&picture.png))
        .read_info()
        .unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut bytes).unwrap();
    let (pixels, rest) = bytes.as_chunks();
    assert!(rest.is_empty());
    pixels.to_vec()
}

/// Draws the floors of a map.
fn floors_of(file: &OnionMap<Vec<u8>>) -> Picture {
    draw(file, None, &[], &options(Subject::Floors)).unwrap()
}

fn picture_of(case: &Case, subject: Subject) -> Picture {
    let map = case.onion();
    draw(map, None, &walls::of_file(map), &options(subject)).unwrap()
}

/// A room of 512 by 512 with a box far east of it, which is out of reach: with filling, the room fills the picture;
/// without filling, the box is in it.
#[test]
fn a_slice_shows_what_is_reached() {
    let mut rooms = samples::maps().into_iter();
    let mut map = rooms.find(|map| map.name == "room").unwrap();
    let [mins, maxs] = [[6000.0, 0.0, 0.0], [6064.0, 64.0, 64.0]];
    map.cuboid(samples::Shader::Wall, mins, maxs);
    let map = made(&map);
    let view = |file: OnionMap<Vec<u8>>| {
        let slice = Subject::Slice(Sight::Top, 32.0);
        [slice, Subject::Floors]
            .map(|subject| draw(&file, None, &[], &options(subject)).unwrap().view)
    };
    let [[of_filled, walked], [open, walked_in_open]] =
        [filled, loaded].map(|load| view(load(&map, &["stand:16x56"])));
    assert_eq!(walked.bounds.maxs, walked_in_open.bounds.maxs);
    // Origins come within 16 of the walls at 256; at most a tenth of that and 96 units of wall surround the area.
    for view in [&of_filled, &walked] {
        let bounds = view.bounds;
        assert!(bounds.mins.x < -256.0 && bounds.maxs.x > 256.0, "{view:?}");
        assert!(bounds.maxs.x < 256.0 + 200.0, "{view:?}");
    }
    assert!(open.bounds.maxs.x > 6064.0, "{open:?}");
}

/// Makes a hall of 512 by 512 by 512 with a gallery at 256 over its western half, a beam from south to north at 400
/// over its eastern half, and, if it is open, no roof. Agents start on both floors; two items are on the lower one,
/// one of them under the gallery, and one on the gallery.
fn hall(is_open: bool) -> Map {
    let mut hall = samples::Map::new("hall", "A hall");
    let wall = samples::Shader::Wall;
    for [mins, maxs] in [
        [[-272.0, -272.0, -16.0], [272.0, 272.0, 0.0]],
        [[-272.0, -272.0, 0.0], [-256.0, 272.0, 512.0]],
        [[256.0, -272.0, 0.0], [272.0, 272.0, 512.0]],
        [[-256.0, -272.0, 0.0], [256.0, -256.0, 512.0]],
        [[-256.0, 256.0, 0.0], [256.0, 272.0, 512.0]],
        [[-256.0, -256.0, 240.0], [0.0, 256.0, 256.0]],
        [[80.0, -256.0, 400.0], [112.0, 256.0, 416.0]],
    ] {
        hall.cuboid(wall, mins, maxs);
    }
    if !is_open {
        hall.cuboid(wall, [-272.0, -272.0, 512.0], [272.0, 272.0, 528.0]);
    }
    hall.spawn([192, 150, 24], 0);
    hall.spawn([-128, 150, 280], 0);
    for at in [[192, -150, 16], [-64, -150, 16], [-192, -150, 272]] {
        hall.point_entity("item_health", at, 0);
    }
    made(&hall)
}

/// Returns the colors of a picture at some places of the map.
fn colors<const N: usize>(picture: &Picture, places: [[f64; 3]; N]) -> [[u8; 3]; N] {
    let pixels = decode(picture);
    places.map(|place| {
        let [x, y] = picture.view.pixel(place.into());
        let [left, top] = picture.corner;
        pixels[(y as usize + top) * picture.size[0] + x as usize + left]
    })
}

/// Neither the roof of a map that leaks nor a beam hides the floors; the gallery makes the floor under it faint.
#[test]
fn the_usual_picture_shows_the_floors_where_agents_walk() {
    for is_open in [false, true] {
        let picture = floors_of(&filled(&hall(is_open), &["stand:16x56"]));
        let places = [
            [96.0, 40.0, 24.0],
            [200.0, 40.0, 24.0],
            [-120.0, 40.0, 280.0],
            [192.0, -150.0, 16.0],
            [-64.0, -150.0, 16.0],
        ];
        let [beam, lower, upper, item, hidden] = colors(&picture, places);
        let is_hidden = distance(beam, lower) < 12;
        assert!(is_hidden, "{is_open}: {beam:02x?} {lower:02x?}");
        let is_seen = distance(upper, lower) > 90;
        assert!(is_seen, "{is_open}: {upper:02x?} {lower:02x?}");
        assert_eq!(item, ITEM, "{is_open}");
        assert!((40..250).contains(&distance(hidden, ITEM)), "{hidden:02x?}");
        assert_eq!(picture.n_marks, [4, 1], "{is_open}");
    }
    // From outside, the view meets the beam first.
    let file = filled(&hall(false), &["stand:16x56"]);
    let from_above = options(Subject::Projection(Sight::Top));
    let picture = draw(&file, None, &[], &from_above).unwrap();
    let [beam, lower] = colors(&picture, [[96.0, 40.0, 24.0], [200.0, 40.0, 24.0]]);
    assert!(distance(beam, lower) > 90, "{beam:02x?} {lower:02x?}");
    assert_eq!(picture.n_marks, [4, 1]);
}

/// In a yard without a roof, divided by a wall, the only way leads through a hole in it, under a board whose top is
/// low enough to jump up.
#[test]
fn the_usual_picture_shows_where_agents_crawl() {
    let mut yard = samples::Map::new("yard", "A yard");
    for [mins, maxs] in [
        [[-272.0, -272.0, -16.0], [272.0, 272.0, 0.0]],
        [[-272.0, -272.0, 0.0], [-256.0, 272.0, 200.0]],
        [[256.0, -272.0, 0.0], [272.0, 272.0, 200.0]],
        [[-256.0, -272.0, 0.0], [256.0, -256.0, 200.0]],
        [[-256.0, 256.0, 0.0], [256.0, 272.0, 200.0]],
        [[-8.0, -256.0, 0.0], [8.0, -32.0, 200.0]],
        [[-8.0, 32.0, 0.0], [8.0, 256.0, 200.0]],
        [[-8.0, -32.0, 40.0], [8.0, 32.0, 200.0]],
        [[-64.0, -64.0, 36.0], [64.0, 64.0, 40.0]],
    ] {
        yard.cuboid(samples::Shader::Wall, mins, maxs);
    }
    yard.spawn([-192, 150, 24], 0);
    let picture = floors_of(&loaded(&made(&yard), &["crouch:16x32"]));
    let places = [
        [-150.0, 100.0, 24.0],
        [150.0, 100.0, 24.0],
        [264.0, 0.0, 24.0],
    ];
    let [west, east, outside] = colors(&picture, places);
    assert!(distance(west, east) < 12, "{west:02x?} {east:02x?}");
    assert!(distance(west, outside) > 20, "{west:02x?} {outside:02x?}");
}

/// A slice shows the entities of its own storey; hidden ones near it are faint, and others are not shown.
#[test]
fn a_slice_marks_what_it_shows() {
    let file = filled(&hall(false), &["stand:16x56"]);
    for (at, n_marks) in [
        (40.0, [3, 0]),  // The lower floor; the gallery is more than 96 above.
        (300.0, [4, 0]), // The gallery, and, from above, the lower floor in front of it.
        (200.0, [3, 2]), // Below the gallery, near its two; the agent's height hides nothing.
        (250.0, [2, 0]), // In the gallery, which is outside of the frame.
    ] {
        let slice = Subject::Slice(Sight::Top, at);
        let picture = draw(&file, None, &[], &options(slice)).unwrap();
        assert_eq!(picture.n_marks, n_marks, "z={at}");
    }
}

/// The tunnel, which only crouching fits, has the color of space that is solid for standing only; the rooms do not.
#[test]
fn the_usual_picture_shows_what_only_smaller_hulls_reach() {
    let picture = picture_of(sample_case("low_tunnel"), Subject::Floors);
    let [tunnel, room] = colors(&picture, [[0.0, 0.0, 24.0], [-200.0, 0.0, 24.0]]);
    assert!(distance(tunnel, STAND_ONLY) < 60, "{tunnel:02x?}");
    assert!(distance(room, STAND_ONLY) > 90, "{room:02x?}");
}

#[test]
fn colors_are_what_the_oracle_says() {
    let mut counts = [0; 4];
    for (name, subject) in [
        ("courtyard", Subject::Slice(Sight::Top, 139.5)),
        ("courtyard", Subject::Slice(Sight::Side, -480.25)),
        ("low_tunnel", Subject::Slice(Sight::Front, 0.75)),
        ("patch_arch", Subject::Slice(Sight::Front, 2.5)),
    ] {
        let sample = sample_case(name);
        let hulls = ["stand:16x56", "crouch:16x32"];
        let case = Case::new(name, &sample.bytes, &hulls, "one");
        // Without entities, whose marks would cover the colors.
        let compiled = compiled(&case.map, &hulls, |options| {
            options.entities = false;
            options.brushes = true;
        });
        let map = subject::load(&compiled);
        let hulls = subject::hulls(&["stand:16x56", "crouch:16x32", "point:point"]);
        let worlds = hulls.iter().map(|hull| case.oracle().world(0, hull));
        let worlds: Vec<_> = worlds.collect();
        let picture = draw(&map, None, &walls::of_file(&map), &options(subject)).unwrap();
        let pixels = decode(&picture);
        let kind_at = |x: f64, y: f64| {
            let place = picture.view.place([x, y]).to_array();
            let solid = worlds.iter().map(|world| world.solid(place, 0.0));
            solid.filter(|&solid| solid).count()
        };
        let [width, height] = picture.view.size;
        for (x, y) in (4..width - 4).flat_map(|x| (4..height - 4).step_by(7).map(move |y| (x, y))) {
            let middle = [x, y].map(|at| at as f64 + 0.5);
            let kind = kind_at(middle[0], middle[1]);
            let around = [[3.0, 0.0], [-3.0, 0.0], [0.0, 3.0], [0.0, -3.0], [2.0, 2.0]];
            let signs = |[dx, dy]: &[f64; 2]| [[*dx, *dy], [-*dx, -*dy], [*dx, -*dy]];
            let mut around = around.iter().flat_map(signs);
            if around.any(|[dx, dy]| kind_at(middle[0] + dx, middle[1] + dy) != kind) {
                continue;
            }
            let [left, top] = picture.corner;
            let color = pixels[(y + top) * picture.size[0] + x + left];
            counts[kind] += 1;
            let context = format!("{name} {:?}: {color:02x?}", picture.view.place(middle));
            match kind {
                // A grid of faint lines covers everything.
                1 => assert!(distance(color, STAND_ONLY) < 60, "{context}"),
                3 => assert!(distance(color, WALL) < 60, "{context}"),
                _ => assert!(distance(color, STAND_ONLY) > 60, "{context}"),
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
}

fn distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    let channels = one.into_iter().zip(other);
    let apart = channels.map(|(one, other)| u32::from(one.abs_diff(other)));
    apart.sum()
}

/// With `ONION_BLESS=1` this test rewrites the pictures; look at them before you commit them.
#[test]
fn pictures_have_the_bytes_that_were_looked_at() {
    let hulls = ["stand:16x56", "crouch:16x32", "point:point"];
    let hall = floors_of(&filled(&hall(false), &hulls));
    let tunnel = picture_of(sample_case("low_tunnel"), Subject::Slice(Sight::Front, 0.0));
    assert_golden("low_tunnel.png", &tunnel.png);
    assert_golden("hall.png", &hall.png);
}

#[test]
fn threads_make_no_difference() {
    let case = sample_case("courtyard");
    let pictures = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let picture = || picture_of(case, Subject::Projection(Sight::Top));
        pool.build().unwrap().install(picture).png
    });
    assert_eq!(pictures[0], pictures[1]);
}

/// Whether a picture has a color within some pixels of a place.
fn has_near(picture: &Picture, place: [f64; 3], color: [u8; 3], far: usize) -> bool {
    let pixels = decode(picture);
    let [x, y] = picture.view.pixel(place.into());
    let [left, top] = picture.corner;
    let [x, y] = [x as usize + left, y as usize + top];
    let mut rows = y - far..=y + far;
    rows.any(|y| {
        let mut columns = x - far..=x + far;
        columns.any(|x| distance(pixels[y * picture.size[0] + x], color) < 40)
    })
}

/// In the hall where all of them start, an ogre stands but near the walls, where only players stand; they crouch in the
/// tunnel, and stand in the other hall. Solid is drawn as without floors.
#[test]
fn floors_have_the_colors_of_hulls() {
    let hulls = ["stand:16x56", "crouch:16x32", "ogre:32x88"];
    let map = compiled(&sample_case("low_tunnel").map, &hulls, |options| {
        (options.fill, options.floors) = (Fill::default(), true);
        options.agents = vec!["human:stand,crouch".parse().unwrap()];
    });
    let map = OnionMap::from_bytes(map.bytes).unwrap();
    let picture = |floors| {
        let options = PictureOptions {
            floors,
            ..options(Subject::Floors)
        };
        draw(&map, None, &[], &options).unwrap()
    };
    let places = [
        [-240.0, 40.0],
        [-296.0, 40.0],
        [200.0, 40.0],
        [20.0, 8.0],
        [0.0, 60.0],
    ];
    let places = places.map(|[x, y]| [x, y, 24.0]);
    let [ogre, beside, hall, tunnel, rock] = colors(&picture(true), places);
    let [bare, .., bare_rock] = colors(&picture(false), places);
    for (one, other) in [
        (ogre, beside),
        (beside, tunnel),
        (ogre, tunnel),
        (ogre, bare),
    ] {
        assert!(distance(one, other) > 60, "{one:02x?} {other:02x?}");
    }
    assert!(distance(beside, hall) < 12, "{beside:02x?} {hall:02x?}");
    assert_eq!(rock, bare_rock);
    // The mouth of the tunnel is where players crouch and stand up.
    let [crouch, stand] = [[0xC2, 0x18, 0x5B], [0x00, 0x89, 0x7B]];
    let mouth = [-80.0, 8.0, 24.0];
    let drawn = [crouch, stand].map(|color| has_near(&picture(true), mouth, color, 2));
    assert!(drawn.contains(&true));
    let bare = [crouch, stand].map(|color| has_near(&picture(false), mouth, color, 2));
    assert_eq!(bare, [false; 2]);
}

/// From the terrace agents drop into the pit, and so do no arrows lead up.
#[test]
fn arrows_show_drops() {
    let map = compiled(&made(&rooms::pit()), &["stand:16x56"], |options| {
        (options.fill, options.floors) = (Fill::default(), true);
    });
    let map = OnionMap::from_bytes(map.bytes).unwrap();
    let options = PictureOptions {
        floors: true,
        ..options(Subject::Floors)
    };
    let picture = draw(&map, None, &[], &options).unwrap();
    let [drop, jump] = [[0xD8, 0x43, 0x15], [0x1A, 0x3F, 0xBF]];
    // The middle of the edge of the terrace, which origins leave 16 beyond it.
    let edge = [80.0, 0.0, 120.0];
    let drawn = [drop, jump].map(|color| has_near(&picture, edge, color, 12));
    assert_eq!(drawn, [true, false]);
}
