/** The prefix of the addresses in a genesis document. */
import { readBech32 } from '../../../codec/bech32.ts'
import { membersOf } from '../../../data/members.ts'
import { parsedJson } from '../../../data/parsedJson.ts'
import { unlessRefused } from '../../../errors.ts'

/**
 * Returns the prefix of the first account that a genesis document names, such as `cosmos`; undefined
 * if it names none. No module stores the prefix: a node has it in its program (cosmos-sdk types/config.go).
 */
export function prefixIn(document: string): string | undefined {
  const state = membersOf(membersOf(parsedJson(document))['app_state'])
  return firstPrefix(membersOf(state['bank'])['balances']) ?? firstPrefix(membersOf(state['auth'])['accounts'])
}

function firstPrefix(holders: unknown): string | undefined {
  for (const holder of Array.isArray(holders) ? holders : []) {
    const { address } = membersOf(holder)
    const prefix = typeof address === 'string' ? unlessRefused(() => readBech32(address).prefix) : undefined
    if (prefix !== undefined) return prefix
  }
  return undefined
}
