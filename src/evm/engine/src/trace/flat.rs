//! go-ethereum's flatCallTracer (`eth/tracers/native/call_flat.go`): the call tree as a list, in the
//! shapes of Parity.
//!
//! Options: 1 errors in Parity's words, 2 with calls of Ethereum's precompiles.

use super::{calls::Frame, Request};
use crate::json::Json;
use revm::primitives::U256;

const PARITY_ERRORS: u8 = 1;
const WITH_PRECOMPILES: u8 = 2;

struct List<'a> {
    frames: &'a [Frame],
    request: &'a Request,
    is_first: bool,
}

pub fn write(frames: &[Frame], request: &Request, json: &mut Json) {
    json.raw("[");
    if !frames.is_empty() {
        List { frames, request, is_first: true }.write(0, &mut Vec::new(), json);
    }
    json.raw("]");
}

impl List<'_> {
    fn write(&mut self, place: usize, path: &mut Vec<usize>, json: &mut Json) {
        let frame = &self.frames[place];
        let with_precompiles = self.request.has(WITH_PRECOMPILES);
        let shown = |child: &&usize| with_precompiles || !self.frames[**child].is_precompile;
        let children: Vec<usize> = frame.children.iter().filter(shown).copied().collect();
        json.comma(&mut self.is_first).raw("{\"action\":");
        write_action(frame, json);
        json.raw(&String::from_utf8_lossy(&self.request.before));
        if let Some(error) = &frame.error {
            let is_parity = self.request.has(PARITY_ERRORS);
            json.raw(",\"error\":").text(if is_parity { parity_error(error) } else { error });
        }
        write_result(frame, json);
        json.raw(",\"subtraces\":").number(children.len() as u64).raw(",\"traceAddress\":[");
        let mut is_first = true;
        for step in path.iter() {
            json.comma(&mut is_first).number(*step as u64);
        }
        json.raw("]").raw(&String::from_utf8_lossy(&self.request.after));
        json.raw(",\"type\":").text(type_of(frame)).raw("}");
        for (index, child) in children.into_iter().enumerate() {
            path.push(index);
            self.write(child, path, json);
            path.pop();
        }
    }
}

fn type_of(frame: &Frame) -> &'static str {
    match frame.kind {
        "CREATE" | "CREATE2" => "create",
        "SELFDESTRUCT" => "suicide",
        _ => "call",
    }
}

fn write_action(frame: &Frame, json: &mut Json) {
    let value = frame.value.unwrap_or(U256::ZERO);
    match type_of(frame) {
        "create" => {
            json.raw("{\"creationMethod\":").text(&frame.kind.to_lowercase());
            json.raw(",\"from\":").address(frame.from).raw(",\"gas\":").quantity64(frame.gas);
            json.raw(",\"init\":").bytes(&frame.input).raw(",\"value\":").quantity(value);
        }
        "suicide" => {
            json.raw("{\"address\":").address(frame.from).raw(",\"balance\":").quantity(value);
            json.raw(",\"refundAddress\":").address(frame.to.unwrap_or_default());
        }
        _ => {
            json.raw("{\"callType\":").text(&frame.kind.to_lowercase());
            json.raw(",\"from\":").address(frame.from).raw(",\"gas\":").quantity64(frame.gas);
            json.raw(",\"input\":").bytes(&frame.input);
            json.raw(",\"to\":").address(frame.to.unwrap_or_default());
            json.raw(",\"value\":").quantity(value);
        }
    }
    json.raw("}");
}

/// A failed frame has no result, except that a revert keeps its output.
fn write_result(frame: &Frame, json: &mut Json) {
    let reverted = frame.error.as_deref() == Some("execution reverted");
    if frame.kind == "SELFDESTRUCT" || (frame.error.is_some() && !reverted) {
        return;
    }
    json.raw(",\"result\":{");
    if type_of(frame) == "create" {
        if let Some(address) = frame.to {
            json.raw("\"address\":").address(address).raw(",");
        }
        json.raw("\"code\":").bytes(&frame.output).raw(",\"gasUsed\":").quantity64(frame.gas_used);
    } else {
        json.raw("\"gasUsed\":").quantity64(frame.gas_used).raw(",\"output\":").bytes(&frame.output);
    }
    json.raw("}");
}

fn parity_error(error: &str) -> &str {
    match error {
        "contract creation code storage out of gas"
        | "out of gas"
        | "gas uint64 overflow"
        | "max code size exceeded" => "Out of gas",
        "invalid jump destination" => "Bad jump destination",
        "execution reverted" => "Reverted",
        "return data out of bounds" => "Out of bounds",
        "precompile failed" | "invalid input length" => "Built-in failed",
        text if text.starts_with("out of gas:") => "Out of gas",
        text if text.starts_with("invalid opcode:") => "Bad instruction",
        text if text.starts_with("stack underflow") => "Stack underflow",
        text if text.starts_with("stack limit reached") => "Out of stack",
        other => other,
    }
}
