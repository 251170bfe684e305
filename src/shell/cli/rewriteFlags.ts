/** Turns the words of a command line that come from another tool into those of chainstage. */
import { SimError } from '../../errors.ts'
import { foreignFlags, type ForeignFlag } from './foreignFlags.ts'

export type Rewritten = {
  readonly words: readonly string[]
  /** A sentence for each flag that was dropped because it changes nothing. */
  readonly notes: readonly string[]
}

type Found = { readonly flag: ForeignFlag; readonly name: string; readonly value: string }
type Piece = string | Found

const byName = new Map(foreignFlags.flatMap((flag) => flag.names.map((name) => [name, flag] as const)))

/**
 * Returns the words of `chainstage start` with every foreign flag rewritten. Words after `--` stay.
 * Throws `ForeignFlagRefused` with the alternative, `CometMockArguments`, `MissingValue`, and `BadForeignValue`.
 */
export function rewriteFlags(words: readonly string[]): Rewritten {
  const end = words.indexOf('--')
  const own = end < 0 ? words : words.slice(0, end)
  if (own.length >= 5 && /^(?:grpc|socket)$/.test(own.at(-1) ?? '')) throw new CometMockArguments(own.slice(-5))
  const pieces = piecesOf(own)
  const found = pieces.filter((piece): piece is Found => typeof piece !== 'string')
  const values = new Map(found.map(({ flag, value }) => [flag.names[0] ?? '', value]))
  const refused = found.find(({ flag }) => flag.instead !== undefined)
  if (refused !== undefined) throw new ForeignFlagRefused(refused)
  return {
    words: [
      ...pieces.flatMap((piece) =>
        typeof piece === 'string' ? [piece] : (piece.flag.means?.(piece.value, { values, words: own }) ?? []),
      ),
      ...(end < 0 ? [] : words.slice(end)),
    ],
    notes: found.flatMap(({ flag: { idle }, name }) => (idle === undefined ? [] : [`${name} has no effect: ${idle}`])),
  }
}

function piecesOf(words: readonly string[]): readonly Piece[] {
  const pieces: Piece[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    const [, name = word, attached] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
    const flag = byName.get(name)
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

/** A flag of another tool that has no counterpart. */
export class ForeignFlagRefused extends SimError {
  constructor({ flag: { tools, instead }, name }: Found) {
    super('BAD_SETTING', `${name} is a flag of ${tools.join(' and ')} that chainstage does not have`, {
      hint: instead ?? '',
    })
  }
}

/** The five arguments of CometMock: addresses of applications, genesis, listener, homes, kind of connection. */
export class CometMockArguments extends SimError {
  constructor([, genesis = '', listener = '', homes = '']: readonly string[]) {
    super('BAD_SETTING', 'chainstage contains the application and takes no arguments of CometMock', {
      hint: `Replace them: --genesis ${genesis} --rpc.laddr ${listener}, or --home ${homes.split(',')[0] ?? ''} for both.`,
    })
  }
}

/** A flag at the end of the command line that needs a value. */
export class MissingValue extends SimError {
  constructor(name: string) {
    super('BAD_SETTING', `${name}: expected a value after it, received none`)
  }
}
