/**
 * Maps program counters to source lines with the source maps that compilers write for deployed
 * code.
 */
import { hexOf } from '../../codec/hex.ts'
import { rememberedBy } from '../../data/remembered.ts'

/** Deployed code as the compiler wrote it, with its source map. */
export type MappedCode = {
  /**
   * Hex digits. The digits in `masked` differ between deployments: immutables and library
   * addresses.
   */
  readonly digits: string
  /** Byte ranges. */
  readonly masked: readonly { readonly start: number; readonly length: number }[]
  readonly map: string
  /** Returns the name of the source file with this number in the map. */
  readonly fileOf: (id: number) => string | undefined
}

export type SoliditySources = {
  readonly codes: readonly MappedCode[]
  /** Returns the text of a source file that a map refers to. */
  readonly textOf: (file: string) => string | undefined
}

/** A source line; lines are numbered from 1. */
export type SourceLine = { readonly file: string; readonly line: number }

/** Returns the compiled code that was deployed as `code`, or undefined if none fits. */
function mappedCodeOf({ codes }: SoliditySources, code: Uint8Array): MappedCode | undefined {
  const digits = hexOf(code).slice(2)
  return codes.find((one) => one.digits.length === digits.length && isSame(one, digits))
}

function isSame({ digits, masked }: MappedCode, deployed: string): boolean {
  const ranges = masked.toSorted((a, b) => a.start - b.start)
  let from = 0
  for (const { start, length } of ranges) {
    if (digits.slice(from, start * 2) !== deployed.slice(from, start * 2)) return false
    from = (start + length) * 2
  }
  return digits.slice(from) === deployed.slice(from)
}

type Span = { readonly start: number; readonly fileId: number }

/**
 * Returns the spans of a source map, one per instruction. An entry is
 * `start:length:file:jump:depth`. An empty field repeats the field of the previous entry:
 * `12:5:0;;:9` is 12:5:0, 12:5:0, 12:9:0.
 */
export function readSourceMap(map: string): readonly Span[] {
  let before: Span = { start: 0, fileId: -1 }
  return map.split(';').map((entry) => {
    const [start = '', , fileId = ''] = entry.split(':')
    before = {
      start: start === '' ? before.start : Number(start),
      fileId: fileId === '' ? before.fileId : Number(fileId),
    }
    return before
  })
}

const push1 = 0x60
const push32 = 0x7f

/**
 * Returns the index of the instruction at each program counter. The data of a PUSH is part of its
 * instruction.
 */
export function instructionsOf(code: Uint8Array): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (let pc = 0; pc < code.length; pc++) {
    found.set(pc, found.size)
    const opcode = code[pc] ?? 0
    if (opcode >= push1 && opcode <= push32) pc += opcode - push1 + 1
  }
  return found
}

/**
 * Returns a function that maps program counters of deployed code to source lines; undefined for
 * code without a source map.
 */
export function placesOf(
  sources: SoliditySources,
  code: Uint8Array,
): ((pc: number) => SourceLine | undefined) | undefined {
  const mapped = mappedCodeOf(sources, code)
  if (mapped === undefined) return undefined
  const spans = readSourceMap(mapped.map)
  const instructions = instructionsOf(code)
  return (pc) => {
    const span = spans[instructions.get(pc) ?? -1]
    const file = span === undefined ? undefined : mapped.fileOf(span.fileId)
    const text = file === undefined ? undefined : sources.textOf(file)
    return span === undefined || file === undefined || text === undefined
      ? undefined
      : { file, line: lineOf(text, span.start) }
  }
}

const lineStarts = rememberedBy(
  (text: string) => text,
  (text) => {
    const bytes = new TextEncoder().encode(text)
    return [0, ...[...bytes.entries()].flatMap(([at, one]) => (one === 0x0a ? [at + 1] : []))]
  },
  100,
)

/** Returns the line that contains a byte offset. Source maps count UTF-8 bytes. */
function lineOf(text: string, byte: number): number {
  const starts = lineStarts(text)
  const after = starts.findIndex((start) => start > byte)
  return after === -1 ? starts.length : after
}
