/** A small assembler: EVM code from names and numbers, for tests. */
import { address, hex, toHex } from './state.ts'

const opcodes: Readonly<Record<string, number>> = {
  STOP: 0x00,
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  EXP: 0x0a,
  LT: 0x10,
  GT: 0x11,
  EQ: 0x14,
  ISZERO: 0x15,
  KECCAK256: 0x20,
  ADDRESS: 0x30,
  BALANCE: 0x31,
  ORIGIN: 0x32,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  CODESIZE: 0x38,
  CODECOPY: 0x39,
  GASPRICE: 0x3a,
  EXTCODESIZE: 0x3b,
  RETURNDATASIZE: 0x3d,
  RETURNDATACOPY: 0x3e,
  EXTCODEHASH: 0x3f,
  BLOCKHASH: 0x40,
  COINBASE: 0x41,
  TIMESTAMP: 0x42,
  NUMBER: 0x43,
  BASEFEE: 0x48,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  MSTORE8: 0x53,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  PC: 0x58,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  TLOAD: 0x5c,
  TSTORE: 0x5d,
  MCOPY: 0x5e,
  PUSH0: 0x5f,
  DUP1: 0x80,
  DUP2: 0x81,
  SWAP1: 0x90,
  LOG0: 0xa0,
  LOG1: 0xa1,
  LOG2: 0xa2,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
}

/** Returns the code of the words: a name is its opcode, a number or an address is pushed. */
export function code(...words: readonly (string | number | bigint | Uint8Array)[]): Uint8Array {
  return hex(
    words
      .map((word) => {
        if (typeof word === 'string') return opcodeOf(word)
        const digits = word instanceof Uint8Array ? toHex(word) : word.toString(16)
        const even = digits.padStart(digits.length + (digits.length % 2), '0')
        return (0x5f + even.length / 2).toString(16) + even
      })
      .join(''),
  )
}

function opcodeOf(name: string): string {
  const opcode = opcodes[name]
  if (opcode === undefined) throw new Error(`no opcode ${name}`)
  return opcode.toString(16).padStart(2, '0')
}

type Call = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL'

/** Returns code that forwards the calldata to the address and leaves success on the stack. */
export function forward(to: number | bigint | Uint8Array, kind: Call = 'CALL'): Uint8Array {
  const value = kind === 'CALL' || kind === 'CALLCODE' ? ['PUSH0'] : []
  const target = to instanceof Uint8Array ? to : address(to)
  return code(
    'CALLDATASIZE',
    'PUSH0',
    'PUSH0',
    'CALLDATACOPY',
    'PUSH0',
    'PUSH0',
    'CALLDATASIZE',
    'PUSH0',
    ...value,
    target,
    'GAS',
    kind,
  )
}

/** Returns the codes one after another. */
export function join(...codes: readonly Uint8Array[]): Uint8Array {
  return hex(codes.map(toHex).join(''))
}
