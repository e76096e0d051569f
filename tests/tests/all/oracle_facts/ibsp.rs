//! Facts about the reader of Quake III maps: a map of two cubes, written byte by byte, in; its brushes and shaders, or
//! an error for damaged bytes, out.

use onion_tests::oracle::ibsp::*;

/// Builds a map of two unit cubes in two models; the second model has the first shader's contents 5.
fn tiny_map() -> Vec<u8> {
    let mut shaders = [0u8; 144];
    shaders[68] = 1;
    shaders[72..72 + 5].copy_from_slice(b"stone");
    shaders[72 + 64] = 7;
    shaders[72 + 68] = 5;
    let mut planes = Vec::new();
    for k in 0..6usize {
        for axis in 0..3 {
            let sign = if k % 2 == 0 { 1.0f32 } else { -1.0 };
            let n = if k / 2 == axis { sign } else { 0.0 };
            planes.extend(n.to_le_bytes());
        }
        planes.extend(0.5f32.to_le_bytes());
    }
    let ints = |list: &[i32]| {
        list.iter()
            .flat_map(|i| i.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let mut models = Vec::new();
    for first in [0, 1] {
        models.extend([0u8; 24]);
        models.extend(ints(&[0, 0, first, 1]));
    }
    let brushes = ints(&[0, 6, 0, 0, 6, 1]);
    let sides = ints(&[0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 1]);
    let mut surface = vec![1, 0, 2];
    surface.resize(26, 0);
    let surfaces = ints(&surface);
    let mut file = b"IBSP".to_vec();
    file.extend(ints(&[46]));
    let mut body: Vec<u8> = Vec::new();
    for index in 0..17 {
        let part = match index {
            SHADERS => &shaders[..],
            PLANES => &planes,
            MODELS => &models,
            BRUSHES => &brushes,
            SIDES => &sides,
            SURFACES => &surfaces,
            _ => &[],
        };
        file.extend(ints(&[144 + body.len() as i32, part.len() as i32]));
        body.extend(part);
    }
    file.extend(body);
    file
}

#[test]
fn reads_contents_and_planes_of_each_model() {
    let models = read_ibsp(&tiny_map()).expect("valid");
    assert_eq!(models.len(), 2);
    assert_eq!(models[0].brushes[0].contents, 1);
    assert_eq!(models[1].brushes[0].contents, 5);
    assert_eq!(models[1].brushes[0].planes[3], ([0.0, -1.0, 0.0], 0.5));
    assert_eq!(models[1].brushes[0].planes.len(), 6);
    assert_eq!(models[1].brushes[0].number, 1);
    assert_eq!(models[1].brushes[0].shaders, [0, 0, 0, 0, 0, 1]);
}

#[test]
fn reads_shaders() {
    let OracleShaders {
        shaders,
        of_surfaces,
    } = read_shaders(&tiny_map()).expect("valid");
    assert_eq!(of_surfaces, [1]);
    assert_eq!((shaders[0].name.len(), shaders[0].contents), (0, 1));
    let stone = OracleShader {
        name: b"stone".to_vec(),
        flags: 7,
        contents: 5,
    };
    assert_eq!(shaders[1], stone);
}

#[test]
fn every_truncation_and_every_bent_byte_is_survived() {
    let good = tiny_map();
    for len in 0..good.len() {
        // The last lumps are empty, so only a cut into the used ones is an error; of these, the draw
        // surfaces come last.
        let with_models = good.len() - 104;
        assert!(len >= with_models || read_ibsp(&good[..len]).is_err());
        assert!(read_shaders(&good[..len]).is_err(), "cut at {len}");
    }
    for at in 0..good.len() {
        for value in [0x00, 0x7f, 0x80, 0xff] {
            let mut bent = good.clone();
            bent[at] = value;
            let _ = read_ibsp(&bent);
            let _ = read_shaders(&bent);
        }
    }
}

#[test]
fn other_versions_are_refused() {
    let mut bytes = tiny_map();
    bytes[4] = 38;
    assert!(read_ibsp(&bytes).is_err());
    bytes[4] = 47;
    assert!(read_ibsp(&bytes).is_ok());
}
