//! What the parts of a block are called.

/// The tree of a type, as far as names and sizes go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Scalar {
        size: u8,
        signed: bool,
        pointer: bool,
    },
    Array {
        element: Box<Shape>,
        count: u32,
        stride: u32,
    },
    /// Field name (empty: anonymous), offset, shape. Unions have several at one offset.
    Struct {
        tag: String,
        fields: Vec<(String, u32, Shape)>,
    },
    Bytes,
}

impl Shape {
    pub fn size(&self) -> u32 {
        match self {
            Shape::Scalar { size, .. } => u32::from(*size),
            Shape::Array { count, stride, .. } => count * stride,
            Shape::Struct { fields, .. } => fields.iter().map(|(_, at, s)| at + s.size()).max().unwrap_or(0),
            Shape::Bytes => 0,
        }
    }

    /// The path to the part at `offset`, to be written after the block's name.
    pub fn path(&self, offset: u32) -> String {
        match self {
            Shape::Scalar { .. } if offset == 0 => String::new(),
            Shape::Array { element, stride, .. } if *stride > 0 => {
                format!("[{}]{}", offset / stride, element.path(offset % stride))
            }
            Shape::Struct { fields, .. } => {
                let inside =
                    fields.iter().rev().find(|(_, at, s)| *at <= offset && offset < at + s.size().max(1));
                match inside {
                    Some((name, at, s)) if name.is_empty() => s.path(offset - at),
                    Some((name, at, s)) => format!(".{name}{}", s.path(offset - at)),
                    None => format!("+{offset}"),
                }
            }
            _ if offset == 0 => String::new(),
            _ => format!("+{offset}"),
        }
    }

    /// The scalar at a path such as `.a[3]`: offset, size, signedness.
    pub fn find(&self, path: &str) -> Option<(u32, u8, bool)> {
        match self {
            Shape::Scalar { size, signed, .. } => path.is_empty().then_some((0, *size, *signed)),
            Shape::Array { element, count, stride } => {
                let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
                let index: u32 = index.parse().ok().filter(|i| i < count)?;
                let (at, size, signed) = element.find(rest)?;
                Some((index * stride + at, size, signed))
            }
            Shape::Struct { fields, .. } => fields.iter().find_map(|(name, at, shape)| {
                let rest = if name.is_empty() {
                    path
                } else {
                    path.strip_prefix('.')?.strip_prefix(name.as_str())?
                };
                let (inner, size, signed) = shape.find(rest)?;
                Some((at + inner, size, signed))
            }),
            Shape::Bytes => None,
        }
    }
}
