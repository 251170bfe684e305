/** What a genesis document may hold and this application would drop: refused, so that nobody is misled. */
import { SimError } from '../../../errors.ts'
import { list, section, text, type Section } from './read.ts'

/** Modules of evmd: those with lists here are known, but what stands in the lists is not loaded. */
const modules: Readonly<Record<string, readonly string[]>> = {
  '07-tendermint': [], auth: [], authz: ['authorization'], bank: [], consensus: [], distribution: [], erc20: [],
  evidence: ['evidence'], evm: [], feegrant: ['allowances'], feemarket: [], genutil: [], gov: [], ibc: [],
  mint: [], params: [], precisebank: ['balances'], slashing: [], staking: [], transfer: [], upgrade: [],
  vesting: [],
}

/** Throws `UnreadGenesis` for a module or an entry that would change the chain and is not loaded. */
export function refuseUnread(root: Section): void {
  for (const [name, value] of Object.entries(root.value)) {
    const lists = modules[name]
    if (lists === undefined) {
      if (isEmpty(value)) continue
      throw new UnreadGenesis(`${root.path}.${name}`, 'evmd has no such module')
    }
    const own = section(root, name)
    for (const each of lists) {
      if (list(own, each).length > 0) throw new UnreadGenesis(`${own.path}.${each}`, 'its entries are not loaded')
    }
  }
  const bank = section(root, 'precisebank')
  if (!['', '0'].includes(text(bank, 'remainder'))) {
    throw new UnreadGenesis(`${bank.path}.remainder`, 'a fraction of the smallest unit is not loaded')
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

/** A genesis document asks for what this chain does not have; the message names the key. */
export class UnreadGenesis extends SimError {
  constructor(path: string, why: string) {
    super('UNREAD_GENESIS', `genesis: ${path} is not supported: ${why}`, {
      hint: `Take ${path} out of the document; the rest of it loads without.`,
    })
  }
}
