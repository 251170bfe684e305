/** Instruction names as in go-ethereum 1.16. */

const rows: readonly (readonly [number, string])[] = [
  [0x00, 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND'],
  [0x10, 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ'],
  [0x20, 'KECCAK256'],
  [0x30, 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY CODESIZE'],
  [0x39, 'CODECOPY GASPRICE EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH'],
  [0x40, 'BLOCKHASH COINBASE TIMESTAMP NUMBER DIFFICULTY GASLIMIT CHAINID SELFBALANCE BASEFEE'],
  [0x49, 'BLOBHASH BLOBBASEFEE'],
  [0x50, 'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST TLOAD TSTORE'],
  [0x5e, 'MCOPY'],
  [0x5f, numbered('PUSH', 0, 32)],
  [0x80, numbered('DUP', 1, 16)],
  [0x90, numbered('SWAP', 1, 16)],
  [0xa0, numbered('LOG', 0, 4)],
  [0xf0, 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2'],
  [0xfa, 'STATICCALL'],
  [0xfd, 'REVERT INVALID SELFDESTRUCT'],
]

function numbered(name: string, from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, index) => `${name}${from + index}`).join(' ')
}

const names = new Map(
  rows.flatMap(([first, row]) => row.split(' ').map((name, index) => [first + index, name] as const)),
)

/** Returns the name of an instruction, or go-ethereum's text for an undefined opcode. */
export function opcodeName(opcode: number): string {
  return names.get(opcode) ?? `opcode 0x${opcode.toString(16)} not defined`
}
