//! Ropes by themselves: lists that are joined from many pieces come out whole and in order. Only large maps have
//! lists of more than one piece.

use onion_compiler::fill::chunked_vec::ChunkedVec;

/// Lists of many lengths come out whole and in order, both pushed item by item and appended rope by rope.
#[test]
fn items_stay_in_order() {
    let lengths = [0, 1, 4_095, 4_096, 4_097, 0, 10_000, 3];
    let mut whole = ChunkedVec::default();
    let mut expected = Vec::new();
    for length in lengths {
        let mut part = ChunkedVec::default();
        for _ in 0..length {
            part.push(expected.len());
            expected.push(expected.len());
        }
        whole.append(part);
        // Later items go after the appended ones.
        whole.push(expected.len());
        expected.push(expected.len());
    }
    assert_eq!(whole.into_vec(), expected);
}
