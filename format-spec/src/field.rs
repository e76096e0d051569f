//! The fields of records: how a value is read from and written to bytes, and what `FORMAT.md` says of it. A record is
//! a list of fields without gaps.

/// A value of fixed size in a record, little-endian.
pub trait Field: Sized {
    /// Size in bytes.
    const SIZE: usize;
    /// Type as written in `FORMAT.md`.
    const TYPE: &'static str;
    /// Reads the value at `offset`; bytes past the end of `bytes` read as zero.
    fn read(bytes: &[u8], offset: usize) -> Self;
    /// Writes the value at `offset`.
    ///
    /// # Panics
    /// If `bytes` ends before the value does.
    fn write(&self, bytes: &mut [u8], offset: usize);
}

macro_rules! scalar_fields {
    ($($scalar:ident),*) => {$(
        impl Field for $scalar {
            const SIZE: usize = size_of::<$scalar>();
            const TYPE: &'static str = stringify!($scalar);
            #[inline]
            fn read(bytes: &[u8], offset: usize) -> Self {
                match bytes.get(offset..).and_then(|rest| rest.first_chunk()) {
                    Some(chunk) => $scalar::from_le_bytes(*chunk),
                    None => $scalar::default(),
                }
            }
            fn write(&self, bytes: &mut [u8], offset: usize) {
                bytes[offset..][..Self::SIZE].copy_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}
scalar_fields!(u8, u16, i32, u32, u64, f32, f64);

macro_rules! array_fields {
    ($($scalar:ident $n:literal $name:literal),*) => {$(
        impl Field for [$scalar; $n] {
            const SIZE: usize = $n * size_of::<$scalar>();
            const TYPE: &'static str = $name;
            #[inline]
            fn read(bytes: &[u8], offset: usize) -> Self {
                core::array::from_fn(|i| $scalar::read(bytes, offset + i * size_of::<$scalar>()))
            }
            fn write(&self, bytes: &mut [u8], offset: usize) {
                for (i, scalar) in self.iter().enumerate() {
                    scalar.write(bytes, offset + i * size_of::<$scalar>());
                }
            }
        }
    )*};
}
array_fields!(
    u8 2 "u8 x 2", u8 32 "u8 x 32", u8 64 "u8 x 64", u16 2 "u16 x 2", u32 2 "u32 x 2", u32 3 "u32 x 3",
    u32 6 "u32 x 6", i32 3 "i32 x 3", f32 2 "f32 x 2", f32 3 "f32 x 3", f64 2 "f64 x 2",
    f64 3 "f64 x 3"
);

/// One field of a record, as `FORMAT.md` lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSpec {
    /// Name of the field.
    pub name: &'static str,
    /// Offset from the start of the record, in bytes.
    pub offset: usize,
    /// Type, as written in `FORMAT.md`.
    pub kind: &'static str,
}

/// A fixed-size record that fills one chunk of the file.
pub trait Record: Sized {
    /// Tag of the chunk.
    const TAG: [u8; 4];
    /// Size of one record in bytes.
    const SIZE: usize;
    /// Returns the fields in file order.
    fn fields() -> impl Iterator<Item = FieldSpec>;
    /// Reads a record; bytes past the end of `bytes` read as zero.
    fn read(bytes: &[u8]) -> Self;
    /// Writes a record.
    ///
    /// # Panics
    /// If `bytes` is shorter than the record.
    fn write(&self, bytes: &mut [u8]);
}
