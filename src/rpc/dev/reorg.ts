/** Reorgs: removes blocks and mines others instead, for tests of Ethereum clients. */
import { type Codec, optional } from '../../codec/codec.ts'
import { DecodeError } from '../../codec/decodeError.ts'
import { data } from '../../codec/hex.ts'
import { apply } from '../../node/apply.ts'
import type { NodeCommand } from '../../node/command.ts'
import { rawSubmission, submittedHash } from '../eth/broadcast.ts'
import { invalidParams } from '../eth/errors.ts'
import { sendAsNode } from '../eth/sendAsNode.ts'
import { txArgs, type TxArgs } from '../../app/txArgs.ts'
import { param, type Context, type Method } from '../method.ts'
import { control } from './control.ts'
import { blocks, whole } from './integers.ts'

type Replacing = { readonly tx: TxArgs | Uint8Array; readonly block: bigint }

const blockIndex = whole('blocks after the last block that stays')
const rawTx = data()

/** [[transaction, index of its block], …]; a transaction is an object or signed bytes. */
const replacing: Codec<readonly Replacing[]> = {
  schema: { type: 'array', items: { type: 'array' } },
  decode: (wire, path) => {
    const pairs = wire.type === 'array' ? wire.items : undefined
    return (pairs ?? []).map((pair, index) => {
      const [tx, block] = pair.type === 'array' ? pair.items : []
      if (tx === undefined || block === undefined) throw notPairs(path, pair.raw)
      const at = `${path}[${index}]`
      return {
        tx: tx.type === 'string' ? rawTx.decode(tx, at) : txArgs.decode(tx, at),
        block: blockIndex.decode(block, at),
      }
    })
  },
  encode: () => [],
}

function notPairs(path: string, received: string): DecodeError {
  const expected = '[transaction, index of its block]'
  return new DecodeError({ path, expected, received, text: `expected ${expected}, received ${received.slice(0, 80)}` })
}

type View = 'evm' | 'chain'

/** The interfaces that show the reorg: Ethereum JSON-RPC alone, or both. */
const view: Codec<View> = {
  schema: { type: 'string', enum: ['evm', 'chain'] },
  decode: (wire, path) => {
    if (wire.type === 'string' && (wire.value === 'evm' || wire.value === 'chain')) return wire.value
    const expected = 'the view "evm" (Ethereum JSON-RPC only) or "chain" (all interfaces)'
    const received = wire.raw.slice(0, 80)
    throw new DecodeError({ path, expected, received, text: `expected ${expected}, received ${received}` })
  },
  encode: (value) => value,
}

export const reorg: readonly Method[] = [
  ...control({
    names: { anvil_rollback: null },
    summary: 'Removes the newest blocks from both interfaces and clears the mempool, which CometBFT itself never does.',
    params: [param('depth', optional(blocks), 1n)],
    examples: [{ before: [['evm_mine']], params: [1] }],
    command: (context, [depth]) => rollback(context, depth ?? 1n),
  }),
  ...control({
    names: { anvil_reorg: null },
    summary: 'Replaces the newest blocks with the same number of new blocks, which contain the given transactions.',
    params: [param('depth', blocks), param('transactions', optional(replacing), [])],
    examples: [{ before: [['evm_mine']], params: [1, []] }],
    // Anvil's Rust client, alloy, sends an object.
    objectKeys: ['depth', 'tx_block_pairs'],
    command: (context, [depth, txs]) => reorganise(context, depth, txs ?? []),
  }),
  ...control({
    names: { chainstage_reorg: null },
    summary:
      'Replaces only the Ethereum JSON-RPC hashes of the newest blocks ("evm"), or the blocks themselves ("chain").',
    params: [param('depth', blocks), param('view', view), param('transactions', optional(replacing), [])],
    examples: [{ before: [['evm_mine']], params: [1, 'chain'] }],
    command: (context, [depth, chosen, txs]) => reorganiseView(context, { depth, view: chosen, txs: txs ?? [] }),
  }),
]

type Rollback = Extract<NodeCommand, { type: 'rollback' }>

type Told = { readonly depth: bigint; readonly view: View; readonly txs: readonly Replacing[] }

function reorganiseView(context: Context, told: Told): NodeCommand {
  if (told.view === 'chain') return reorganise(context, told.depth, told.txs)
  if (told.txs.length > 0) {
    throw invalidParams('expected no transactions with the view "evm", which keeps those of the replaced blocks')
  }
  const { depth } = rollback(context, told.depth)
  return { type: 'reorgEthereum', depth }
}

function rollback({ node: { chain } }: Context, depth: bigint): Rollback {
  const most = chain.height - chain.history.base
  if (most < 1n) throw invalidParams('expected a block above the first one that is kept; mine one first')
  if (depth < 1n || depth > most) {
    throw invalidParams(`expected a depth of 1 to ${most} blocks, received ${depth}`)
  }
  return { type: 'rollback', depth }
}

/**
 * Each transaction is filled in on the chain after those before it, so that nonces are consecutive.
 * Throws the reason if the chain refuses one.
 */
function reorganise(context: Context, depth: bigint, txs: readonly Replacing[]): NodeCommand {
  const late = txs.find(({ block }) => block >= depth)
  if (late !== undefined) throw invalidParams(`expected a block index from 0 to ${depth - 1n}, received ${late.block}`)
  const { policy } = context.node.chain
  const commands: NodeCommand[] = []
  let { node } = context
  const carry = (command: NodeCommand) => {
    commands.push(command)
    const applied = apply(context.world, node, command)
    node = applied.node
    return applied.outcome
  }
  carry(rollback(context, depth))
  carry({ type: 'setBlockPolicy', policy: { mode: 'manual' } })
  // One second later, so that a block without transactions differs in hash from the block it
  // replaces.
  carry({ type: 'advanceTime', ms: 1000n })
  for (let block = 0n; block < depth; block++) {
    for (const { tx } of txs.filter((one) => one.block === block)) {
      const now = { ...context, node }
      const outcome = carry(tx instanceof Uint8Array ? rawSubmission(now, tx) : sendAsNode(now, tx))
      submittedHash(outcome, '')
    }
    carry({ type: 'produceBlock' })
  }
  carry({ type: 'setBlockPolicy', policy: { mode: policy.mode } })
  return { type: 'sequence', commands }
}
