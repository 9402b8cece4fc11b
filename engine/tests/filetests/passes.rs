//! Applies passes to functions.

use super::blocks;
use super::fold::{folded, recorded};
use super::format::{Command, TestFunction};
use shadestep_core::exec::lir::{
    DemandedBits, Denorms, Function, Masks, NodeId, OptionalOperation, eliminate_flushes, legalize, schedule,
    text, verify, verify_schedule,
};

/// A pass that a command names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pass {
    Record,
    Fold,
    EliminateFlushes(Denorms),
    Legalize(Masks, Vec<OptionalOperation>),
    Schedule,
    EliminateDeadCode,
    Cut,
}

impl Pass {
    /// The pass of a command; `None` for other commands.
    ///
    /// # Errors
    /// The command has unknown words.
    pub fn of(command: &Command) -> Result<Option<Self>, String> {
        let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
        let wrong = || format!("test {}: unknown words", command.text());
        Ok(Some(match (command.name.as_str(), words.as_slice()) {
            ("record", []) => Self::Record,
            ("fold", []) => Self::Fold,
            ("schedule", []) => Self::Schedule,
            ("eliminate_dead_code", []) => Self::EliminateDeadCode,
            ("cut", []) => Self::Cut,
            ("eliminate_flushes", ["kept"]) => Self::EliminateFlushes(Denorms::Kept),
            ("eliminate_flushes", ["zeros"]) => Self::EliminateFlushes(Denorms::AreZeros),
            ("legalize", [masks, legal @ ..]) => {
                let masks = masks_of(masks).ok_or_else(wrong)?;
                let legal = legal.iter().map(|name| OptionalOperation::from_name(name));
                Self::Legalize(masks, legal.collect::<Option<_>>().ok_or_else(wrong)?)
            }
            (
                "record"
                | "fold"
                | "schedule"
                | "eliminate_dead_code"
                | "cut"
                | "eliminate_flushes"
                | "legalize",
                _,
            ) => return Err(wrong()),
            _ => return Ok(None),
        }))
    }

    /// The form of masks after the pass.
    const fn masks(&self) -> Masks {
        match self {
            Self::Legalize(masks, _) => *masks,
            _ => Masks::Own,
        }
    }

    /// The lines after the pass, without dead values.
    ///
    /// # Errors
    /// The result is incorrect.
    pub fn apply(&self, function: &TestFunction) -> Result<Vec<String>, String> {
        let lir = &function.parsed.code;
        if let Some(block) = &function.block {
            return match self {
                Self::EliminateDeadCode => Ok(blocks::without_dead_code(block, &function.live)),
                Self::Cut => Ok(blocks::lines(&blocks::segments(block))),
                _ => Err(format!("{self:?} is for functions")),
            };
        }
        let new = match self {
            Self::EliminateDeadCode | Self::Cut => return Err(format!("{self:?} is for blocks")),
            Self::Record => recorded(lir),
            Self::Fold => folded(lir),
            Self::EliminateFlushes(denorms) => {
                let mut seen = DemandedBits::nothing(function.low_words.iter().copied());
                seen.all(function.demanded.iter().copied());
                eliminate_flushes(lir, *denorms, &seen)
            }
            Self::Legalize(masks, legal) => legalize(lir, *masks, legal),
            Self::Schedule => {
                let steps = schedule(lir);
                let faults = verify_schedule(lir, &steps);
                return if faults.is_empty() {
                    Ok(text::steps(&lir.nodes, &steps))
                } else {
                    Err(faults.join("\n"))
                };
            }
        };
        let faults = verify(&new, self.masks());
        if !faults.is_empty() {
            return Err(format!("{}\n{}", faults.join("\n"), text::print("incorrect", &new)));
        }
        let printed = text::print("after", &without_dead(&new));
        let lines: Vec<&str> = printed.lines().collect();
        Ok(lines[1..lines.len() - 1].iter().map(|line| line.trim_start().to_owned()).collect())
    }
}

pub fn masks_of(name: &str) -> Option<Masks> {
    match name {
        "own" => Some(Masks::Own),
        "vectors" => Some(Masks::Vectors),
        _ => None,
    }
}

/// The function without values that no store needs.
fn without_dead(function: &Function) -> Function {
    let mut new = Function::default();
    let mut ids: Vec<NodeId> = Vec::new();
    for (node, needed) in function.nodes.iter().zip(function.is_needed()) {
        ids.push(new.nodes.len() as NodeId);
        if needed {
            new.nodes.push(node.with_operands(|id| ids[id as usize]));
        }
    }
    new.stores = function.stores.iter().map(|&(target, value)| (target, ids[value as usize])).collect();
    new
}
