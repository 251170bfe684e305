/** Seeded random contracts and transactions for the differential test. */
import { code, forward, join } from './bytecode.ts'
import { address, hex, toHex, word } from './state.ts'

/** Draws a whole number below the bound. */
export type Draw = (bound: number) => number

/** Returns a generator (mulberry32) that gives the same numbers for the same seed. */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}

export function pick<T>(draw: Draw, list: readonly T[]): T {
  const chosen = list[draw(list.length)]
  if (chosen === undefined) throw new Error('nothing to pick from')
  return chosen
}

type Piece = (draw: Draw, targets: readonly Uint8Array[]) => Uint8Array

const callKinds = ['CALL', 'STATICCALL', 'DELEGATECALL', 'CALLCODE'] as const

function callPiece(draw: Draw, targets: readonly Uint8Array[]): Uint8Array {
  const kind = pick(draw, callKinds)
  const value = kind === 'CALL' || kind === 'CALLCODE' ? [draw(3) === 0 ? draw(4) : 0] : []
  const gas = draw(3) === 0 ? [draw(40_000)] : ['GAS']
  return code(
    draw(64),
    0,
    draw(64),
    0,
    ...value,
    pick(draw, targets),
    ...gas,
    kind,
    ...pick(draw, [['POP'], ['PUSH0', 'SSTORE'], ['POP', 'RETURNDATASIZE', 'PUSH0', 'PUSH0', 'RETURNDATACOPY']]),
  )
}

/** Deploys four bytes, or reverts, or runs out, or stores in its constructor. */
function createPiece(draw: Draw): Uint8Array {
  const init = pick(draw, [
    hex('6360005500' + '60005260046' + '01cf3'),
    code('PUSH0', 'PUSH0', 'REVERT'),
    code('INVALID'),
    code(draw(5), draw(4), 'SSTORE'),
    code(address(0xb1), 'SELFDESTRUCT'),
    code(0xef, 'PUSH0', 'MSTORE8', 1, 'PUSH0', 'RETURN'),
  ])
  const store = code(BigInt(`0x${toHex(init).padEnd(64, '0')}`), 'PUSH0', 'MSTORE')
  const salt = draw(2) === 0 ? [draw(3)] : []
  return join(
    store,
    code(
      ...salt,
      init.length,
      'PUSH0',
      draw(4) === 0 ? 1 : 0,
      salt.length > 0 ? 'CREATE2' : 'CREATE',
      draw(4),
      'SSTORE',
    ),
  )
}

const pieces: readonly (readonly [number, Piece])[] = [
  [6, (draw) => code(draw(4), draw(4), 'SSTORE')],
  [3, (draw) => code(draw(4), 'SLOAD', 'POP')],
  [2, (draw) => code(draw(4), draw(3), 'TSTORE', draw(3), 'TLOAD', draw(4), 'SSTORE')],
  [3, (draw) => code(BigInt(`0x${toHex(word(draw(1 << 30)))}`), draw(96), 'MSTORE')],
  [2, (draw) => code(draw(100), draw(100), 'KECCAK256', 'POP')],
  [2, (draw) => code(draw(40), draw(40), 'LOG0')],
  [2, (draw) => code(draw(9), draw(40), draw(40), 'LOG1')],
  [2, (draw) => code(draw(9), draw(9), draw(40), draw(40), 'LOG2')],
  [6, callPiece],
  [2, createPiece],
  [2, (draw, targets) => code(pick(draw, targets), pick(draw, ['BALANCE', 'EXTCODESIZE', 'EXTCODEHASH']), 'POP')],
  [2, (draw) => code(draw(1 << 20), draw(1 << 20), pick(draw, ['ADD', 'MUL', 'SUB', 'LT', 'EQ']), draw(4), 'SSTORE')],
  [1, (draw) => code(draw(60), draw(60), draw(60), 'MCOPY')],
  [1, (draw) => code('CALLDATASIZE', 'PUSH0', 'PUSH0', 'CALLDATACOPY', draw(3), 'CALLDATALOAD', 'POP')],
  [1, (_draw, targets) => forward(pick(_draw, targets))],
]

const bag = pieces.flatMap(([weight, piece]) => Array.from({ length: weight }, () => piece))

const endings: readonly Piece[] = [
  () => code('STOP'),
  () => code('STOP'),
  () => code(32, 'PUSH0', 'RETURN'),
  () => code(8, 'PUSH0', 'RETURN'),
  (draw) => code(draw(64), 'PUSH0', 'REVERT'),
  () => code('INVALID'),
  () => code('ADD'),
  () => hex('0c'),
  (draw) => code(draw(4), 'JUMP'),
  (draw, targets) => code(pick(draw, targets), 'SELFDESTRUCT'),
]

/** Returns a random program without loops. */
export function randomProgram(draw: Draw, targets: readonly Uint8Array[]): Uint8Array {
  const body = Array.from({ length: 1 + draw(8) }, () => pick(draw, bag)(draw, targets))
  return join(...body, pick(draw, endings)(draw, targets))
}
