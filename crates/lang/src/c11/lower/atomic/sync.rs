//! GCC's `__sync_*`.
//!
//! GCC documents them as full barriers: nothing moves across in either direction, whether a
//! compare-and-swap succeeds or not. A seq_cst access alone lets relaxed ones pass, so there is a
//! seq_cst fence on each side. One is not enough: that behind orders what came before the access
//! with what follows, that before orders it with what others see of the access itself. The two
//! that are no full barriers (`lock_test_and_set` acquires, `lock_release` releases) have none.

use super::*;

impl Lower<'_> {
    pub(super) fn sync_builtin(&mut self, op: &str, args: &[Expr], pos: Pos) -> Option<Lowered<Val>> {
        if op == "synchronize" {
            self.emit(Instr::Fence { mode: Mode::SeqCst });
            return Some(Ok(self.void()));
        }
        let fetched = op.strip_prefix("fetch_and_").and_then(fetch_op).map(|f| (f, false));
        let fetched = fetched.or_else(|| op.strip_suffix("_and_fetch").and_then(fetch_op).map(|f| (f, true)));
        let count = match op {
            "bool_compare_and_swap" | "val_compare_and_swap" => 3,
            "lock_test_and_set" => 2,
            "lock_release" => 1,
            _ => {
                fetched?;
                2
            }
        };
        if args.len() < count {
            return Some(self.arity(args, count, false, 0).map(|()| self.void()));
        }
        Some((|| match op {
            "bool_compare_and_swap" | "val_compare_and_swap" => {
                let t = self.target(&args[0])?;
                let want = self.operand(&args[1], &t)?;
                let new = self.operand(&args[2], &t)?;
                self.pos = pos;
                let dst = self.temps(3);
                let (kind, addr) = (t.kind, t.addr);
                self.full_barrier();
                self.emit(Instr::Cas {
                    kind,
                    mode: Mode::SeqCst,
                    fail: Mode::SeqCst,
                    weak: false,
                    dst,
                    addr,
                    expected: want,
                    desired: new,
                });
                self.full_barrier();
                Ok(match op {
                    "bool_compare_and_swap" => Val { reg: dst, ty: Ty::Int(IntTy::Bool), origin: None },
                    _ => self.result(&t, dst + 1),
                })
            }
            "lock_test_and_set" => {
                let t = self.target(&args[0])?;
                let v = self.operand(&args[1], &t)?;
                self.pos = pos;
                Ok(self.fetch(&t, FetchOp::Exchange, v, Mode::Acquire))
            }
            "lock_release" => {
                let t = self.target(&args[0])?;
                let zero = self.constant(0);
                self.pos = pos;
                self.atomic_store(&t, zero, Mode::Release);
                Ok(self.void())
            }
            _ => {
                let (f, new) = fetched.expect("checked above");
                let (old, fresh) = self.fetch_and(&args[0], &args[1], f, Order::Full, false, pos)?;
                Ok(if new { fresh } else { old })
            }
        })())
    }

    pub(super) fn full_barrier(&mut self) {
        self.emit(Instr::Fence { mode: Mode::SeqCst });
    }
}
