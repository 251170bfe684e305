/** Actions on the mempool and on fees. */
import { z } from 'zod'
import { bytesOfHex } from '../../codec/hex.ts'
import type { TxSelect } from '../../plan/action.ts'
import { compileSend } from '../compileTx.ts'
import { count, hexBytes, multiple, span, wei, who } from '../shapes.ts'
import { spanOf } from '../span.ts'
import { commandAction, describedAction, several } from './descriptor.ts'

/**
 * A selection of mempool transactions: all, those with a hash or name, or those that match every
 * given member.
 */
const someTxs = z.union([
  z.literal('*').transform(() => ({})),
  hexBytes(32).transform((hash) => ({ hash })),
  z.string().transform((name) => ({ name })),
  z.strictObject({
    hash: hexBytes(32).optional(),
    name: z.string().optional(),
    from: who.optional(),
    to: who.optional(),
    nonce: count.optional(),
    selector: hexBytes(4).optional(),
  }),
])

const mempool = describedAction({
  schema: z
    .strictObject({
      hold: z
        .strictObject({
          from: who.optional(),
          to: who.optional(),
          nonce: count.optional(),
          selector: hexBytes(4).optional(),
          nth: z.int().min(1).optional(),
        })
        .optional(),
      release: someTxs.optional(),
      drop: someTxs.optional(),
      evict: someTxs.optional(),
      fill: z.strictObject({ from: who, count: z.int().min(1).max(5000) }).optional(),
      as: z.string().optional(),
    })
    .refine(
      (one) => Object.keys(one).filter((key) => key !== 'as').length === 1,
      'expected one of hold, release, drop, evict or fill',
    )
    .refine((one) => one.as === undefined || one.hold !== undefined, 'expected "as" only with hold'),
  keys: {
    mempool:
      "Holds, releases, drops or evicts transactions, or fills the mempool. Example: { hold: { from: '@alice' } }.",
    hold: "Keeps matching transactions out of blocks until release. Example: { from: '@alice' }.",
    release: "Releases held transactions, by name or by match. Example: '*'.",
    'mempool.drop': "Removes transactions without a trace. Example: '*'.",
    evict: "Evicts transactions, as a full mempool does. Example: '*'.",
    fill: "Fills the mempool with transactions of an account. Example: { count: 100, from: '@alice' }.",
    'fill.count': 'Number of transactions, at most 5000. Example: 100.',
    hash: "Hash of the transaction. Example: '0xabababababababababababababababababababababababababababababababab'.",
    'release.name': "Name of the transaction, or of the hold. Example: 'payment'.",
    'drop.name': "Name of the transaction. Example: 'payment'.",
    'evict.name': "Name of the transaction. Example: 'payment'.",
  },
  compile: ({ hold, release, drop, evict, fill, as }) => {
    if (fill !== undefined) {
      const { from, count: number } = fill
      return several(...Array.from({ length: number }, () => compileSend({ from, to: from, gas: 21_000 })))
    }
    if (hold !== undefined) {
      const { nth, ...select } = hold
      return { type: 'hold', select: txSelect(select), name: as ?? 'held', nth }
    }
    const taken = drop ?? evict
    if (taken !== undefined && Object.keys(taken).length === 0) return commandAction({ type: 'flushMempool' })
    return taken === undefined
      ? { type: 'release', select: txSelect(release ?? {}) }
      : { type: 'drop', select: txSelect(taken) }
  },
})

type TxSelectFile = {
  readonly hash?: string | undefined
  readonly name?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly nonce?: number | undefined
  readonly selector?: string | undefined
}

function txSelect({ hash, name, from, to, nonce, selector }: TxSelectFile): TxSelect {
  return {
    ...(hash !== undefined && { hash: bytesOfHex(hash) }),
    ...(name !== undefined && { name }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(nonce !== undefined && { nonce: BigInt(nonce) }),
    ...(selector !== undefined && { selector: bytesOfHex(selector) }),
  }
}

const fees = describedAction({
  schema: z
    .strictObject({
      baseFee: z.union([wei.transform((amount) => ({ amount })), multiple]).optional(),
      gasLimit: z.int().min(1).optional(),
      for: span.optional(),
    })
    .refine((one) => one.baseFee !== undefined || one.gasLimit !== undefined, 'expected baseFee or gasLimit'),
  keys: {
    fees: "Changes the base fee or the block gas limit. Example: { baseFee: '50 gwei', for: '5 blocks' }.",
    baseFee: "Base fee per gas, or a multiple of the current one. Example: '50 gwei' or 'x12'.",
    gasLimit: 'Block gas limit. Example: 30000000.',
    for: "How long it lasts. Example: '10s' or '5 blocks'. Default: until changed.",
  },
  compile: ({ baseFee, gasLimit, for: lasting }) => ({
    type: 'fees',
    baseFee,
    gasLimit: gasLimit === undefined ? undefined : BigInt(gasLimit),
    span: spanOf(lasting),
  }),
})

export const mempoolActions = { mempool, fees }
