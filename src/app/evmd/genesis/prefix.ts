/** The prefix of the addresses in a genesis document. */
import { Bech32Error, readBech32 } from '../../../codec/bech32.ts'
import { membersOf, type Members, membersOfEach } from '../../../data/members.ts'
import { parsedJson } from '../../../data/parsedJson.ts'

/**
 * Returns the prefix of the first account that a genesis document names, such as `cosmos`; undefined
 * if it names none. No module stores the prefix: a node has it in its program (cosmos-sdk types/config.go).
 */
export function prefixIn(document: string): string | undefined {
  const state = membersOf(membersOf(parsedJson(document))['app_state'])
  const balances = membersOfEach(membersOf(state['bank'])['balances'])
  const accounts = membersOfEach(membersOf(state['auth'])['accounts'])
  const [first] = [...balances, ...accounts].flatMap((one) => prefixOfAddress(one))
  return first
}

function prefixOfAddress({ address }: Members): readonly string[] {
  if (typeof address !== 'string') return []
  try {
    return [readBech32(address).prefix]
  } catch (error) {
    if (error instanceof Bech32Error) return []
    throw error
  }
}
