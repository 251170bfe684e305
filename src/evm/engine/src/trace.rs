use crate::{abi::Writer, machine::Surroundings};
use revm::context::TxEnv;
pub fn run(_: &Surroundings, _: TxEnv, _: &[u8], _: &mut Writer) {}
