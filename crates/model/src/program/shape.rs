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

/// What an access is about: a part of this size, of several members of a union one that is signed or
/// not as the access is, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sought {
    pub size: u8,
    pub signed: Option<bool>,
}

impl Sought {
    pub fn of_size(size: u8) -> Self {
        Sought { size, signed: None }
    }

    fn is(self, shape: Option<&Shape>) -> bool {
        let Some(Shape::Scalar { size, signed, .. }) = shape else { return false };
        *size == self.size && self.signed.is_none_or(|wanted| wanted == *signed)
    }
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

    /// The scalar at `offset`; of several members of a union, one of this size, the first if there are more.
    pub fn scalar(&self, offset: u32, wanted: Sought) -> Option<&Shape> {
        match self {
            Shape::Scalar { .. } => (offset == 0).then_some(self),
            Shape::Array { element, stride, .. } if *stride > 0 => element.scalar(offset % stride, wanted),
            Shape::Struct { .. } => {
                let (_, at, shape) = self.member(offset, wanted)?;
                shape.scalar(offset - at, wanted)
            }
            _ => None,
        }
    }

    /// The member that an access of this size at `offset` is about.
    fn member(&self, offset: u32, wanted: Sought) -> Option<&(String, u32, Shape)> {
        let Shape::Struct { fields, .. } = self else { return None };
        // An array without a length goes on to the end of the block.
        let open = |s: &Shape| matches!(s, Shape::Array { count: 0, .. });
        let here =
            |f: &&(String, u32, Shape)| f.1 <= offset && (open(&f.2) || offset < f.1 + f.2.size().max(1));
        let find = |wanted: Sought| {
            let exact = |f: &&(String, u32, Shape)| wanted.is(f.2.scalar(offset - f.1, wanted));
            fields.iter().filter(here).find(exact)
        };
        let sized = || find(Sought::of_size(wanted.size));
        find(wanted).or_else(sized).or_else(|| fields.iter().rev().find(here))
    }

    /// The path to the part of this size at `offset`, to be written after the block's name.
    pub fn path(&self, offset: u32, wanted: Sought) -> String {
        match self {
            Shape::Scalar { .. } if offset == 0 => String::new(),
            Shape::Array { element, stride, .. } if *stride > 0 => {
                format!("[{}]{}", offset / stride, element.path(offset % stride, wanted))
            }
            Shape::Struct { .. } => match self.member(offset, wanted) {
                Some((name, at, s)) if name.is_empty() => s.path(offset - at, wanted),
                Some((name, at, s)) => format!(".{name}{}", s.path(offset - at, wanted)),
                None => format!("+{offset}"),
            },
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
