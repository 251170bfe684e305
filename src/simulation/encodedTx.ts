import { SimError } from '../errors.ts'
import type { World } from '../node/world.ts'
import { signedCosmosTx } from './cosmosTx.ts'
import type { Simulation } from './turn.ts'
import { trustedContext } from './trustedContext.ts'

const kinds = ['bank.send']

/**
 * Returns the bytes of a signed transaction that is not sent. `bank.send` sends one smallest unit
 * from the sender to itself. Throws `UnknownKind` for other kinds.
 */
export function encodedTx(
  world: World,
  { node, progress: { facts } }: Simulation,
  {
    from,
    what,
  }: {
    readonly from: string
    readonly what: string
  },
): Uint8Array {
  if (!kinds.includes(what)) throw new UnknownKind(what)
  const sender = from.startsWith('@') || from.startsWith('0x') ? from : `@${from}`
  const denom = world.ethereum?.params(node.chain.app).denom ?? ''
  return signedCosmosTx(
    trustedContext(world, node),
    {
      type: 'cosmosTx',
      from: sender,
      messages: [{ type: 'send', to: sender, coins: { denom, amount: '1' } }],
      gas: 300_000n,
      fee: undefined,
      memo: '',
      sequence: undefined,
      name: undefined,
      allowRevert: false,
    },
    facts,
  )
}

/** `tx.encode` does not support this kind of transaction. */
export class UnknownKind extends SimError {
  constructor(what: string) {
    super('UNKNOWN_KIND', `tx.encode has no transaction type "${what}"`, {
      hint: `Expected ${kinds.join(' or ')}.`,
    })
  }
}
