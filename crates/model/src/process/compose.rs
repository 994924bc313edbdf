//! Steps evaluated in a state, and put together by `|||` and `||`.

use super::*;

impl Universe<'_> {
    /// Evaluates `step`; `None` if it is not enabled. Its operand goes by the number `who`.
    pub fn offer(&self, step: &Step, frame: &Frame, who: usize) -> Option<Offer> {
        let mut offer = Offer {
            act: Act::Tau,
            code: Vec::new(),
            queue: None,
            atomic: step.atomic,
            annotations: step.annotations,
            site: step.site,
            changed: Vec::new(),
            collapse: None,
        };
        match self.evaluate(step, frame, &mut offer) {
            Ok(Some(cont)) => offer.changed.push((who, cont)),
            Ok(None) => return None,
            Err(fault) => offer.act = Act::Fault(fault),
        }
        Some(offer)
    }

    fn evaluate(&self, step: &Step, frame: &Frame, offer: &mut Offer) -> Result<Option<Cont>, Fault> {
        for guard in &step.guard {
            if !frame.holds(guard)? {
                return Ok(None);
            }
        }
        offer.queue = step.queue.clone();
        offer.code = step.code.clone();
        match &step.act {
            Act::Tau | Act::Event(_) | Act::Fault(_) => {
                offer.act = step.act.clone();
                Ok(Some(step.next.settle(None, false)))
            }
            Act::Computed(name, args, sets) => {
                let args: Result<Vec<_>, _> = args.iter().map(|a| frame.eval(a)).collect();
                let id = self.events.id(*name, &args?);
                let hidden = sets.iter().any(|s| self.hides(*s, id));
                offer.act = if hidden { Act::Tau } else { Act::Event(id) };
                Ok(Some(step.next.settle(None, hidden)))
            }
            Act::Send(channel, values) => {
                let c = frame.channel(channel)?;
                let values: Result<Vec<_>, _> = values.iter().map(|v| frame.eval(v)).collect();
                let values = values?;
                let info = &self.model.channels[c];
                if info.capacity == 0 {
                    let channel = ChannelExpr { first: c as u32, len: 1, index: None, spot: channel.spot };
                    offer.act = Act::Send(channel, values.into_iter().map(Expr::Int).collect());
                } else if (frame.queues[c].len() as u32) < info.capacity {
                    offer.act = Act::Event(self.events.id(info.send, &values));
                    offer.queue = Some(QueueOp::Push(c, values.into()));
                } else {
                    return Ok(None);
                }
                Ok(Some(step.next.clone()))
            }
            Act::Receive(reception) => {
                let c = frame.channel(&reception.channel)?;
                let info = &self.model.channels[c];
                if info.capacity == 0 {
                    offer.act = step.act.clone();
                    return Ok(Some(step.next.clone()));
                }
                let Some(message) = frame.queues[c].first() else { return Ok(None) };
                let Some(env) = self.receive(reception, message, frame)? else { return Ok(None) };
                offer.act = Act::Event(self.events.id(info.receive, message));
                offer.queue = Some(QueueOp::Pop(c));
                fill(&mut offer.code, &env);
                Ok(Some(step.next.settle(Some(&env), false)))
            }
        }
    }

    /// The slots after `message` has come in; `None` if it does not match, also in its number of
    /// fields.
    fn receive(
        &self,
        reception: &Reception,
        message: &[i32],
        frame: &Frame,
    ) -> Result<Option<Arc<[i32]>>, Fault> {
        if message.len() != reception.pattern.len() {
            return Ok(None);
        }
        let mut env = reception.env.to_vec();
        for (pattern, value) in reception.pattern.iter().zip(message) {
            match pattern {
                Pattern::Bind(slot) => env[*slot as usize] = *value,
                Pattern::Match(e) => {
                    if (Frame { env: &env, ..*frame }).eval(e)? != *value {
                        return Ok(None);
                    }
                }
            }
        }
        if let Some(guard) = &reception.guard
            && !(Frame { env: &env, ..*frame }).holds(guard)?
        {
            return Ok(None);
        }
        Ok(Some(env.into()))
    }

    /// The offers of `|||` or `||` from those of its operands. Termination is joint; on channels
    /// without a buffer a sender meets a receiver; under `||` an event of several alphabets
    /// needs all of them, unless it carries a block.
    pub fn compose(
        &self,
        kind: Parallel,
        alphabets: AlphabetsId,
        operands: Vec<Vec<Offer>>,
        frame: &Frame,
    ) -> Vec<Offer> {
        let mut out = Vec::new();
        let alphabets = self.alphabets(alphabets);
        let sharing = |event: EventId| -> Vec<usize> {
            match kind {
                Parallel::Interleave => Vec::new(),
                Parallel::Synchronise => {
                    (0..alphabets.len()).filter(|i| alphabets[*i].contains(&self.events, event)).collect()
                }
            }
        };
        let ticks = |offers: &[Offer]| -> Vec<Offer> {
            offers.iter().filter(|o| matches!(o.act, Act::Event(TICK))).cloned().collect()
        };
        if operands.iter().all(|o| o.iter().any(|o| matches!(o.act, Act::Event(TICK)))) {
            out.extend(joined(&operands.iter().map(|o| ticks(o)).collect::<Vec<_>>()));
        }
        for (i, offers) in operands.iter().enumerate() {
            for offer in offers {
                match &offer.act {
                    Act::Event(TICK) => {}
                    Act::Event(event) => {
                        let with = if offer.code.is_empty() && offer.queue.is_none() {
                            sharing(*event)
                        } else {
                            Vec::new()
                        };
                        if !with.contains(&i) || with.len() < 2 {
                            out.push(offer.clone());
                        } else if with[0] == i {
                            let same = |o: &&Offer| {
                                matches!(o.act, Act::Event(e) if e == *event)
                                    && o.code.is_empty()
                                    && o.queue.is_none()
                            };
                            let mut parts = vec![vec![offer.clone()]];
                            for j in &with[1..] {
                                parts.push(operands[*j].iter().filter(same).cloned().collect());
                            }
                            out.extend(joined(&parts));
                        }
                    }
                    Act::Send(channel, values) => {
                        out.push(offer.clone());
                        let c = channel.first as usize;
                        let message: Vec<i32> = values.iter().filter_map(Expr::constant).collect();
                        for (j, others) in operands.iter().enumerate() {
                            if i != j {
                                out.extend(
                                    others.iter().filter_map(|o| self.meet(offer, o, c, &message, frame)),
                                );
                            }
                        }
                    }
                    Act::Tau | Act::Receive(_) | Act::Fault(_) | Act::Computed(..) => out.push(offer.clone()),
                }
            }
        }
        out
    }

    fn meet(&self, send: &Offer, receive: &Offer, c: usize, message: &[i32], frame: &Frame) -> Option<Offer> {
        let Act::Receive(reception) = &receive.act else { return None };
        let mut offer = send.clone();
        offer.atomic |= receive.atomic;
        let met = frame.channel(&reception.channel).and_then(|d| match d == c {
            true => self.receive(reception, message, frame),
            false => Ok(None),
        });
        match met {
            Ok(None) => return None,
            Err(fault) => offer.act = Act::Fault(fault),
            Ok(Some(env)) => {
                offer.act = Act::Event(self.events.id(self.model.channels[c].meet, message));
                let mut code = receive.code.clone();
                fill(&mut code, &env);
                offer.code.extend(code);
                offer.changed.extend(receive.changed.iter().map(|(i, c)| (*i, c.settle(Some(&env), false))));
            }
        }
        Some(offer)
    }
}

fn fill(code: &mut [Code], env: &Arc<[i32]>) {
    for c in code.iter_mut().filter(|c| c.env.is_empty()) {
        c.env = env.clone();
    }
}

/// One offer of each operand, in every combination, as one.
fn joined(parts: &[Vec<Offer>]) -> Vec<Offer> {
    let mut all = parts[0].clone();
    for part in &parts[1..] {
        let mut next = Vec::new();
        for a in &all {
            for b in part {
                let mut offer = a.clone();
                offer.atomic |= b.atomic;
                offer.annotations = offer.annotations.and(b.annotations);
                offer.changed.extend(b.changed.iter().cloned());
                next.push(offer);
            }
        }
        all = next;
    }
    all
}
