/** The prefix of the addresses in a genesis document. */
import { readBech32 } from '../../../codec/bech32.ts'
import { membersOf, membersOfEach } from '../../../data/members.ts'
import { parsedJson } from '../../../data/parsedJson.ts'
import { unlessRefused } from '../../../errors.ts'

/**
 * Returns the prefix of the first account that a genesis document names, such as `cosmos`; undefined
 * if it names none. No module stores the prefix: a node has it in its program (cosmos-sdk types/config.go).
 */
export function prefixIn(document: string): string | undefined {
  const state = membersOf(membersOf(parsedJson(document))['app_state'])
  const balances = membersOfEach(membersOf(state['bank'])['balances'])
  const accounts = membersOfEach(membersOf(state['auth'])['accounts'])
  for (const { address } of [...balances, ...accounts]) {
    const prefix = typeof address === 'string' ? unlessRefused(() => readBech32(address).prefix) : undefined
    if (prefix !== undefined) return prefix
  }
  return undefined
}
