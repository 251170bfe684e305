//! The interpreter loop with one `match`, which compiles to a jump table: in WebAssembly an indirect
//! call per instruction costs two to three times as much. The instructions are revm's own; those that
//! are rare or heavy go through its table.

use crate::machine::keccak256;
use revm::{
    bytecode::opcode,
    interpreter::{
        instructions::{arithmetic, bitwise, control, memory, stack, system, GasTable, InstructionTable},
        interpreter::EthInterpreter,
        interpreter_types::{Jumps, LoopControl},
        Host, InstructionContext, InstructionResult, Interpreter, InterpreterAction,
    },
};

/// `long` are instructions after which a frame may have used much gas: those that lead backwards, and
/// those whose price grows with their operands. Only they, and those of the table, look at the floor.
macro_rules! interpret {
    (
        $interpreter:expr, $table:expr, $gas:expr, $host:expr, $floor:expr,
        long { $($long:ident => $run_long:expr,)* }
        short { $($short:ident => $run_short:expr,)* }
    ) => {
        loop {
            let op = $interpreter.bytecode.opcode();
            $interpreter.bytecode.relative_jump(1);
            if $interpreter.gas.record_cost_unsafe($gas[op as usize] as u64) {
                break InstructionResult::OutOfGas;
            }
            let is_over = $interpreter.gas.remaining() < $floor;
            let context = InstructionContext { interpreter: &mut *$interpreter, host: &mut *$host };
            let outcome = match op {
                $(opcode::$short => $run_short(context),)*
                $(opcode::$long => if is_over { return None } else { $run_long(context) },)*
                _ => if is_over { return None } else { $table[op as usize].execute(context) },
            };
            if let Err(end) = outcome {
                break end;
            }
        }
    };
}

/// Runs the frame until it ends or opens another; `None` when less gas than the floor remains.
pub fn run<H: Host>(
    interpreter: &mut Interpreter,
    table: &InstructionTable<EthInterpreter, H>,
    gas: &GasTable,
    host: &mut H,
    floor: u64,
) -> Option<InterpreterAction> {
    let end = interpret!(interpreter, table, gas, host, floor, long {
        KECCAK256 => keccak256,
        JUMP => control::jump,
        JUMPI => control::jumpi,
    } short {
        ADD => arithmetic::add,
        MUL => arithmetic::mul,
        SUB => arithmetic::sub,
        DIV => arithmetic::div,
        MOD => arithmetic::rem,
        ADDMOD => arithmetic::addmod,
        MULMOD => arithmetic::mulmod,
        SIGNEXTEND => arithmetic::signextend,
        LT => bitwise::lt,
        GT => bitwise::gt,
        SLT => bitwise::slt,
        SGT => bitwise::sgt,
        EQ => bitwise::eq,
        ISZERO => bitwise::iszero,
        AND => bitwise::bitand,
        OR => bitwise::bitor,
        XOR => bitwise::bitxor,
        NOT => bitwise::not,
        BYTE => bitwise::byte,
        SHL => bitwise::shl,
        SHR => bitwise::shr,
        SAR => bitwise::sar,
        CLZ => bitwise::clz,
        ADDRESS => system::address,
        CALLER => system::caller,
        CALLVALUE => system::callvalue,
        CALLDATALOAD => system::calldataload,
        CALLDATASIZE => system::calldatasize,
        RETURNDATASIZE => system::returndatasize,
        GAS => system::gas,
        MLOAD => memory::mload,
        MSTORE => memory::mstore,
        MSTORE8 => memory::mstore8,
        PC => control::pc,
        JUMPDEST => control::jumpdest,
        POP => stack::pop,
        PUSH0 => stack::push0,
        PUSH1 => stack::push::<1, _, _>,
        PUSH2 => stack::push::<2, _, _>,
        PUSH3 => stack::push::<3, _, _>,
        PUSH4 => stack::push::<4, _, _>,
        PUSH5 => stack::push::<5, _, _>,
        PUSH6 => stack::push::<6, _, _>,
        PUSH7 => stack::push::<7, _, _>,
        PUSH8 => stack::push::<8, _, _>,
        PUSH9 => stack::push::<9, _, _>,
        PUSH10 => stack::push::<10, _, _>,
        PUSH11 => stack::push::<11, _, _>,
        PUSH12 => stack::push::<12, _, _>,
        PUSH13 => stack::push::<13, _, _>,
        PUSH14 => stack::push::<14, _, _>,
        PUSH15 => stack::push::<15, _, _>,
        PUSH16 => stack::push::<16, _, _>,
        PUSH17 => stack::push::<17, _, _>,
        PUSH18 => stack::push::<18, _, _>,
        PUSH19 => stack::push::<19, _, _>,
        PUSH20 => stack::push::<20, _, _>,
        PUSH21 => stack::push::<21, _, _>,
        PUSH22 => stack::push::<22, _, _>,
        PUSH23 => stack::push::<23, _, _>,
        PUSH24 => stack::push::<24, _, _>,
        PUSH25 => stack::push::<25, _, _>,
        PUSH26 => stack::push::<26, _, _>,
        PUSH27 => stack::push::<27, _, _>,
        PUSH28 => stack::push::<28, _, _>,
        PUSH29 => stack::push::<29, _, _>,
        PUSH30 => stack::push::<30, _, _>,
        PUSH31 => stack::push::<31, _, _>,
        PUSH32 => stack::push::<32, _, _>,
        DUP1 => stack::dup::<1, _, _>,
        DUP2 => stack::dup::<2, _, _>,
        DUP3 => stack::dup::<3, _, _>,
        DUP4 => stack::dup::<4, _, _>,
        DUP5 => stack::dup::<5, _, _>,
        DUP6 => stack::dup::<6, _, _>,
        DUP7 => stack::dup::<7, _, _>,
        DUP8 => stack::dup::<8, _, _>,
        DUP9 => stack::dup::<9, _, _>,
        DUP10 => stack::dup::<10, _, _>,
        DUP11 => stack::dup::<11, _, _>,
        DUP12 => stack::dup::<12, _, _>,
        DUP13 => stack::dup::<13, _, _>,
        DUP14 => stack::dup::<14, _, _>,
        DUP15 => stack::dup::<15, _, _>,
        DUP16 => stack::dup::<16, _, _>,
        SWAP1 => stack::swap::<1, _, _>,
        SWAP2 => stack::swap::<2, _, _>,
        SWAP3 => stack::swap::<3, _, _>,
        SWAP4 => stack::swap::<4, _, _>,
        SWAP5 => stack::swap::<5, _, _>,
        SWAP6 => stack::swap::<6, _, _>,
        SWAP7 => stack::swap::<7, _, _>,
        SWAP8 => stack::swap::<8, _, _>,
        SWAP9 => stack::swap::<9, _, _>,
        SWAP10 => stack::swap::<10, _, _>,
        SWAP11 => stack::swap::<11, _, _>,
        SWAP12 => stack::swap::<12, _, _>,
        SWAP13 => stack::swap::<13, _, _>,
        SWAP14 => stack::swap::<14, _, _>,
        SWAP15 => stack::swap::<15, _, _>,
        SWAP16 => stack::swap::<16, _, _>,
    });
    if interpreter.bytecode.action().is_none() {
        interpreter.halt(end);
    }
    Some(interpreter.take_next_action())
}
