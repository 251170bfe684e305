/** Removes transactions from the mempool. */
import type { MempoolTx } from '../../chain/event.ts'
import type { Outcome } from '../../chain/outcome.ts'
import { address, hexOf } from '../../codec/hex.ts'
import { equalBytes } from '../../data/bytes.ts'
import { mapEntries } from '../../data/persistentMap.ts'
import type { NodeCommand } from '../../node/command.ts'
import { txHashParam } from '../eth/params.ts'
import { param, type Context, type Method } from '../method.ts'
import { control, under } from './control.ts'

const droppingByHash = {
  params: [txHashParam] as const,
  examples: [[`0x${'11'.repeat(32)}`]],
  command: (context: Context, [wanted]: readonly [Uint8Array]) =>
    dropping(context, ({ info }) => info?.ethHash !== undefined && equalBytes(info.ethHash, wanted)),
}

export const waiting: readonly Method[] = [
  ...control({
    names: {
      hardhat_dropTransaction: wasDropped,
      ganache_dropTransaction: wasDropped,
    },
    summary: 'Removes a transaction from the mempool and returns whether the mempool contained it.',
    ...droppingByHash,
  }),
  ...control({
    names: { anvil_dropTransaction: droppedHash },
    summary: 'Removes a transaction from the mempool and returns its hash, or null if the mempool did not contain it.',
    ...droppingByHash,
  }),
  ...control({
    names: {
      ...under(['anvil', 'hardhat', 'ganache'], 'dropAllTransactions', null),
      debug_clearTxpool: null,
    },
    summary: 'Removes all transactions from the mempool.',
    params: [],
    examples: [[]],
    command: () => ({ type: 'flushMempool' }),
  }),
  ...control({
    names: under(['anvil', 'hardhat'], 'removePoolTransactions', null),
    summary: 'Removes all transactions of an account from the mempool.',
    params: [param('address', address)],
    examples: [['0x1111111111111111111111111111111111111111']],
    command: (context, [who]) => dropping(context, ({ info }) => info !== undefined && equalBytes(info.sender, who)),
  }),
]

function dropping({ node }: Context, isMeant: (tx: MempoolTx) => boolean): NodeCommand {
  const found = [...mapEntries(node.chain.mempool.txs)].map(([, tx]) => tx).filter(isMeant)
  const commands = found.map((tx): NodeCommand => ({ type: 'dropTx', hash: tx.hash }))
  return commands.length === 0 ? { type: 'none' } : { type: 'sequence', commands }
}

function wasDropped(_context: Context, outcome: Outcome): boolean {
  return outcome.type === 'dropped' && outcome.found
}

/** Anvil's answer, which its clients read as a hash. */
function droppedHash(context: Context, outcome: Outcome, [wanted]: readonly unknown[]): string | null {
  return wasDropped(context, outcome) ? hexOf(wanted as Uint8Array) : null
}
