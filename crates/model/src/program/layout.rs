//! How a block's bytes divide into cells, the units that events are about.
//!
//! Engines know locations only as whole cells that never overlap. Types give most layouts;
//! the rest is learned: an access that cuts a plain cell splits it, an atomic access makes one
//! cell of the bytes it touches, and the exploration starts over ([`crate::run::Relayout`]).
//! Cells only ever get finer (plain) or fixed (atomic), so this ends. A type that makes bytes
//! atomic says only how they *may* be used: of a union of atomics, or of a block that holds more
//! than the type of its pointer, an access decides, and only two accesses contradict each other.
//! Where they do in different elements of a repeated type, each element gets cells of its own.
//!
//! What can be missed: two threads that write different parts of one *atomic* cell by plain
//! accesses are reported as racing although C keeps the bytes apart.

/// One unit of access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    pub offset: u32,
    pub size: u8,
    pub atomic: bool,
    /// An atomic access was made to just these bytes.
    pub used: bool,
}

impl Cell {
    /// A cell of a type.
    pub fn of(offset: u32, size: u8, atomic: bool) -> Self {
        Cell { offset, size, atomic, used: false }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Where the repeated part begins.
    head: u32,
    /// From there on the cells repeat with this period; 0: they do not repeat.
    stride: u32,
    /// Sorted, disjoint. Between them the block divides into granules.
    cells: Vec<Cell>,
    /// Size of a cell where no type says otherwise: 8, 4, 2 or 1.
    granule: u8,
}

impl Default for Layout {
    fn default() -> Self {
        Layout { head: 0, stride: 0, cells: Vec::new(), granule: 8 }
    }
}

static UNTYPED: Layout = Layout { head: 0, stride: 0, cells: Vec::new(), granule: 8 };

impl Layout {
    pub const UNTYPED: &'static Layout = &UNTYPED;

    /// From the cells of a type, in any order, possibly overlapping (unions: the overlap is
    /// divided at every boundary). `stride` is the size of the repeated element, or 0.
    pub fn new(stride: u32, cells: impl IntoIterator<Item = Cell>) -> Self {
        Self::with_tail(0, stride, cells)
    }

    /// The same where only what begins at `head` is repeated: a struct with a flexible array.
    pub fn with_tail(head: u32, stride: u32, cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut layout = Layout { head, stride, cells: Vec::new(), granule: 8 };
        for cell in cells {
            layout.add(cell);
        }
        layout
    }

    fn add(&mut self, new: Cell) {
        let end = |c: &Cell| c.offset + u32::from(c.size);
        let clash: Vec<Cell> =
            self.cells.iter().copied().filter(|c| c.offset < end(&new) && new.offset < end(c)).collect();
        if clash.is_empty() {
            let at = self.cells.partition_point(|c| c.offset < new.offset);
            self.cells.insert(at, new);
            return;
        }
        if clash.len() == 1 && clash[0].offset == new.offset && clash[0].size == new.size {
            if new.atomic {
                let at = self.cells.partition_point(|c| c.offset < new.offset);
                self.cells[at].atomic = true;
            }
            return;
        }
        // Divide everything involved at every boundary; an atomic cell is kept whole when it can be.
        let mut cuts: Vec<u32> = clash.iter().chain([&new]).flat_map(|c| [c.offset, end(c)]).collect();
        let atomics: Vec<Cell> = clash.iter().chain([&new]).copied().filter(|c| c.atomic).collect();
        cuts.retain(|&cut| !atomics.iter().any(|a| a.offset < cut && cut < end(a)));
        cuts.sort_unstable();
        cuts.dedup();
        self.cells.retain(|c| !(c.offset < end(&new) && new.offset < end(c)));
        for pair in cuts.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let atomic = atomics.iter().any(|a| a.offset < to && from < end(a));
            self.cells.push(Cell::of(from, (to - from) as u8, atomic));
        }
        self.cells.sort_unstable_by_key(|c| c.offset);
    }

    /// The cell that byte `offset` of a block of `size` bytes belongs to.
    pub fn cell(&self, offset: u32, size: u32) -> Cell {
        let base = offset - self.within(offset);
        let within = offset - base;
        let next = self.cells.partition_point(|c| c.offset <= within);
        let mut from = 0;
        if let Some(c) = next.checked_sub(1).map(|i| self.cells[i]) {
            if within < c.offset + u32::from(c.size) {
                return Cell { offset: base + c.offset, ..c };
            }
            from = c.offset + u32::from(c.size);
        }
        // In a gap: granules, cut at the gap's ends.
        let limit = match self.stride {
            0 => size - base,
            _ if offset < self.head => self.head.min(size),
            stride => (self.head + stride).min(size - base),
        };
        let to = self.cells.get(next).map_or(limit, |c| c.offset).min(limit).max(within + 1);
        let granule = u32::from(self.granule);
        let start = (within / granule * granule).max(from);
        let end = (within / granule * granule + granule).min(to);
        Cell::of(base + start, (end - start) as u8, false)
    }

    /// The byte of the first element, or of what comes before, that stands for this one.
    fn within(&self, offset: u32) -> u32 {
        match offset.checked_sub(self.head) {
            Some(behind) if self.stride > 0 => self.head + behind % self.stride,
            _ => offset,
        }
    }

    /// Writes the repetition out, for a block of so many bytes; how elements were used is open
    /// again.
    fn spread(&mut self, block: u32) {
        let (head, period) = (self.head as usize, self.stride as usize);
        (self.head, self.stride) = (0, 0);
        let cells = std::mem::take(&mut self.cells);
        let plain = |base: u32, c: &Cell| Cell { offset: base + c.offset, used: false, ..*c };
        let (once, repeated): (Vec<Cell>, Vec<Cell>) = cells.iter().partition(|c| (c.offset as usize) < head);
        self.cells.extend(once.iter().map(|c| plain(0, c)));
        for base in (0..block.saturating_sub(head as u32)).step_by(period) {
            let inside = repeated.iter().filter(|c| base + c.offset + u32::from(c.size) <= block);
            self.cells.extend(inside.map(|c| plain(base, c)));
        }
    }

    /// Learns from an access that does not fit. `Err` names the atomic cell it contradicts.
    pub fn learn(&mut self, offset: u32, size: u32, atomic: bool, block: u32) -> Result<(), Cell> {
        let crosses = match offset < self.head {
            true => offset + size > self.head,
            false => self.within(offset) + size > self.head + self.stride,
        };
        if self.stride > 0 && crosses {
            // The element is not the unit here.
            self.spread(block);
        }
        let within = self.within(offset);
        let end = within + size;
        let stop = |c: &Cell| c.offset + u32::from(c.size);
        if atomic {
            let overlaps = |c: &Cell| c.offset < end && within < stop(c);
            if let Some(other) = self.cells.iter().find(|c| c.used && overlaps(c)).copied() {
                if self.stride == 0 {
                    return Err(other);
                }
                // Perhaps another element was used that way.
                self.spread(block);
                return self.learn(offset, size, atomic, block);
            }
            // What the type said of these bytes gives way.
            self.cells.iter_mut().filter(|c| overlaps(c)).for_each(|c| c.atomic = false);
            self.cut(within);
            self.cut(end);
            self.cells.retain(|c| !(within <= c.offset && stop(c) <= end));
            self.add(Cell { offset: within, size: size as u8, atomic: true, used: true });
        } else {
            let gap = |at: u32| !self.cells.iter().any(|c| c.offset < at && at < stop(c));
            if gap(within) && gap(end) {
                let mut fits = self.granule;
                while fits > 1
                    && (!within.is_multiple_of(u32::from(fits)) || !end.is_multiple_of(u32::from(fits)))
                {
                    fits /= 2;
                }
                self.granule = fits;
            }
            self.cut(within);
            self.cut(end);
        }
        Ok(())
    }

    fn cut(&mut self, at: u32) {
        if let Some(i) =
            self.cells.iter().position(|c| !c.atomic && c.offset < at && at < c.offset + u32::from(c.size))
        {
            let c = self.cells[i];
            let left = (at - c.offset) as u8;
            self.cells[i].size = left;
            self.cells.insert(i + 1, Cell::of(at, c.size - left, false));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(offset: u32, size: u8) -> Cell {
        Cell::of(offset, size, false)
    }

    #[test]
    fn typed_cells_repeat() {
        let l = Layout::new(16, [plain(0, 4), plain(8, 8)]);
        assert_eq!(l.cell(16, 64), plain(16, 4));
        assert_eq!(l.cell(29, 64), plain(24, 8));
        assert_eq!(l.cell(5, 64), plain(4, 4), "padding is a cell of its own");
    }

    #[test]
    fn unions_divide_at_every_boundary() {
        let l = Layout::new(0, [plain(0, 8), plain(0, 4), plain(4, 2)]);
        assert_eq!([l.cell(1, 8), l.cell(5, 8), l.cell(7, 8)], [plain(0, 4), plain(4, 2), plain(6, 2)]);
    }

    #[test]
    fn a_plain_access_splits_and_an_atomic_one_joins() {
        let mut l = Layout::default();
        assert_eq!(l.cell(4, 16), plain(0, 8));
        l.learn(4, 4, false, 16).unwrap();
        assert_eq!(l.cell(4, 16), plain(4, 4));
        l.learn(8, 8, true, 16).unwrap();
        assert_eq!(l.cell(12, 16), Cell { offset: 8, size: 8, atomic: true, used: true });
        assert!(l.learn(8, 4, true, 16).is_err());
    }

    #[test]
    fn what_nobody_uses_contradicts_nothing() {
        // union { struct { atomic_int a, b; }; atomic_long all; }
        let all = Cell::of(0, 8, true);
        let mut l = Layout::new(0, [Cell::of(0, 4, true), Cell::of(4, 4, true), all]);
        assert_eq!(l.cell(0, 8), all);
        l.learn(4, 4, true, 8).unwrap();
        assert_eq!((l.cell(0, 8).size, l.cell(4, 8).size), (4, 4));
        assert!(l.learn(0, 8, true, 8).is_err());
    }

    #[test]
    fn elements_may_be_used_in_different_ways() {
        let mut l = Layout::new(8, [Cell::of(0, 8, true)]);
        l.learn(0, 4, true, 24).unwrap();
        l.learn(16, 8, true, 24).unwrap();
        assert_eq!((l.cell(0, 24).size, l.cell(16, 24).size), (4, 8));
        assert!(l.learn(16, 4, true, 24).is_err());
    }

    #[test]
    fn a_flexible_array_repeats_behind_its_header() {
        // struct { atomic_int n; atomic_long a[]; }
        let l = Layout::with_tail(8, 8, [Cell::of(0, 4, true), Cell::of(8, 8, true)]);
        assert_eq!(l.cell(0, 40), Cell::of(0, 4, true));
        assert_eq!(l.cell(5, 40), plain(4, 4));
        assert_eq!(l.cell(33, 40), Cell::of(32, 8, true));
        let mut l = l;
        l.learn(4, 8, false, 40).unwrap();
        assert_eq!((l.cell(0, 40).size, l.cell(24, 40).size), (4, 8));
    }
}
