//! go-ethereum's 4byteTracer: how often each selector was called with how much data after it.

use super::{Request, Tracer};
use crate::{host::HostThrew, json::Json, machine::Ctx};
use revm::{
    context::{ContextTr, JournalTr},
    interpreter::{CallInputs, CallOutcome},
    primitives::hex,
    state::EvmState,
    Inspector,
};
use std::collections::BTreeMap;

#[derive(Default)]
pub struct FourByte(BTreeMap<String, u64>);

impl Inspector<Ctx> for FourByte {
    fn call(&mut self, ctx: &mut Ctx, inputs: &mut CallInputs) -> Option<CallOutcome> {
        let is_ethereum = ctx.journal_ref().precompile_addresses().contains(&inputs.bytecode_address);
        if inputs.input.len() < 4 || is_ethereum {
            return None;
        }
        let input = inputs.input.bytes(ctx);
        let key = format!("0x{}-{}", hex::encode(&input[..4]), input.len() - 4);
        *self.0.entry(key).or_default() += 1;
        None
    }
}

impl Tracer for FourByte {
    fn finish(&mut self, _: &Request, _: &EvmState, json: &mut Json) -> Result<(), HostThrew> {
        json.raw("{");
        let mut is_first = true;
        for (key, count) in &self.0 {
            json.comma(&mut is_first).text(key).raw(":").number(*count);
        }
        json.raw("}");
        Ok(())
    }
}
