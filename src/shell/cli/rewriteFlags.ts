/** Rewrites flags of other tools on the command line to flags of chainstage. */
import { SimError } from '../../errors.ts'
import { settings } from '../../settings/settings.ts'
import { foreignFlags, type ForeignFlag } from './foreignFlags.ts'

export type Rewritten = {
  readonly words: readonly string[]
  /** One sentence for each flag that was dropped because it has no effect. */
  readonly notes: readonly string[]
}

type Found = { readonly flag: ForeignFlag; readonly name: string; readonly value: string }
type Piece = string | Found

type FlagsByName = ReadonlyMap<string, ForeignFlag>

const byName: FlagsByName = new Map(foreignFlags.flatMap((flag) => flag.names.map((name) => [name, flag] as const)))
const ownNames = new Set(settings.map(([, { flag }]) => `--${flag}`))
const ownByName: FlagsByName = new Map([...byName].filter(([name]) => ownNames.has(name)))

/**
 * Returns the words of `chainstage start` with every foreign flag rewritten. Words after `--` are
 * unchanged. Throws `ForeignFlagRefused` (with the alternative), `CometMockArguments`,
 * `MissingValue` and `BadForeignValue`.
 */
export function rewriteFlags(words: readonly string[]): Rewritten {
  const own = words.slice(0, endOf(words))
  if (own.length >= 5 && /^(?:grpc|socket)$/.test(own.at(-1) ?? '')) throw new CometMockArguments(own.slice(-5))
  return rewritten(words, byName)
}

/**
 * Returns the words of another command with settings. Only flags that chainstage has too are rewritten, so that a
 * number after them means the same as in `chainstage start`. Throws as `rewriteFlags` does.
 */
export function rewriteOwnFlags(words: readonly string[]): Rewritten {
  return rewritten(words, ownByName)
}

function endOf(words: readonly string[]): number {
  const end = words.indexOf('--')
  return end < 0 ? words.length : end
}

function rewritten(words: readonly string[], flags: FlagsByName): Rewritten {
  const end = endOf(words)
  const own = words.slice(0, end)
  const pieces = piecesOf(own, flags)
  const found = pieces.filter((piece): piece is Found => typeof piece !== 'string')
  const values = new Map(found.map(({ flag, value }) => [flag.names[0] ?? '', value]))
  const refused = found.find(({ flag }) => flag.instead !== undefined)
  if (refused !== undefined) throw new ForeignFlagRefused(refused)
  return {
    words: [
      ...pieces.flatMap((piece) =>
        typeof piece === 'string' ? [piece] : (piece.flag.means?.(piece.value, { values, words: own }) ?? []),
      ),
      ...words.slice(end),
    ],
    notes: found.flatMap(({ flag: { idle }, name }) => (idle === undefined ? [] : [`${name} has no effect: ${idle}`])),
  }
}

function piecesOf(words: readonly string[], flags: FlagsByName): readonly Piece[] {
  const pieces: Piece[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    const [, name = word, attached] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
    const flag = flags.get(name)
    if (flag === undefined) {
      pieces.push(word)
      continue
    }
    const next = words[index + 1]
    const takesNext =
      attached === undefined &&
      (flag.takes === 'value' || (flag.takes === 'optional' && next !== undefined && !next.startsWith('-')))
    if (takesNext && (next === undefined || /^--?[a-z]/i.test(next))) throw new MissingValue(name)
    if (takesNext) index++
    pieces.push({ flag, name, value: attached ?? (takesNext ? (next ?? '') : '') })
  }
  return pieces
}

/** Thrown for a flag of another tool without an equivalent. */
export class ForeignFlagRefused extends SimError {
  constructor({ flag: { tools, instead }, name }: Found) {
    super('BAD_SETTING', `${name} is a flag of ${tools.join(' and ')} that chainstage does not have`, {
      hint: instead ?? '',
    })
  }
}

/**
 * Thrown for CometMock's five arguments: application addresses, genesis, listener, homes,
 * connection type.
 */
export class CometMockArguments extends SimError {
  constructor([, genesis = '', listener = '', homes = '']: readonly string[]) {
    super('BAD_SETTING', 'chainstage contains the application and takes no arguments of CometMock', {
      hint: `Replace them: --genesis ${genesis} --rpc.laddr ${listener}, or --home ${homes.split(',')[0] ?? ''} for both.`,
    })
  }
}

/** Thrown for a flag that needs a value but is the last word. */
export class MissingValue extends SimError {
  constructor(name: string) {
    super('BAD_SETTING', `${name}: expected a value after it, received none`)
  }
}
