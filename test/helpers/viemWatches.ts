/** What viem watches, by polling over HTTP and by subscribing over WebSocket. */
import type { ExecutionContext } from 'ava'
import { createPublicClient, type Log } from 'viem'
import { eventually } from './server.ts'
import { abi, socketOf, transferOne, type Act, type Stage } from './viemStage.ts'

const event = abi[3]

/** An act that sees what a watcher tells after something was done. */
function watched<Seen>(
  watch: (stage: Stage, told: (seen: Seen) => void, failed: (error: Error) => void) => () => void,
  act: (stage: Stage) => Promise<unknown>,
  check: (t: ExecutionContext, seen: Seen, stage: Stage) => void,
): Act {
  return async (t, stage) => {
    const seen: Seen[] = []
    const failures: Error[] = []
    const stop = watch(
      stage,
      (one) => seen.push(one),
      (error) => failures.push(error),
    )
    // A watcher says nowhere that it watches: what is done again and again it sees in the end.
    await eventually(async () => {
      if (seen.length === 0) await act(stage)
      return seen.length > 0 || failures.length > 0
    })
    stop()
    t.deepEqual(failures, [])
    const [first] = seen
    if (first !== undefined) check(t, first, stage)
  }
}

export const watches = {
  // Only over a transport that subscribes, so over a socket of its own.
  watchBlockHeaders: async (t: ExecutionContext, stage: Stage) => {
    const listener = createPublicClient({ transport: socketOf(stage.server) })
    await watched<{ readonly number: bigint | null }>(
      (_, onBlockHeader, onError) => listener.watchBlockHeaders({ onBlockHeader, onError }),
      transferOne,
      (same, { number }, { sent }) => same.true((number ?? 0n) > sent.blockNumber),
    )(t, stage)
    ;(await listener.transport.getRpcClient()).close()
  },
  watchBlockNumber: watched<bigint>(
    ({ client }, onBlockNumber, onError) => client.watchBlockNumber({ onBlockNumber, onError }),
    transferOne,
    (t, seen, { sent }) => t.true(seen >= sent.blockNumber),
  ),
  watchBlocks: watched<{ readonly number: bigint }>(
    ({ client }, onBlock, onError) => client.watchBlocks({ onBlock, onError }),
    transferOne,
    (t, seen, { sent }) => t.true(seen.number >= sent.blockNumber),
  ),
  watchContractEvent: watched<readonly Log[]>(
    ({ client, token: address }, onLogs, onError) =>
      client.watchContractEvent({ address, abi, eventName: 'Transfer', onLogs, onError }),
    transferOne,
    (t, [log], { token }) => t.is(log?.address, token.toLowerCase() as typeof token),
  ),
  watchEvent: watched<readonly Log[]>(
    ({ client, token: address }, onLogs, onError) =>
      client.watchEvent({ address, event, onLogs: (logs) => onLogs(logs), onError }),
    transferOne,
    (t, [log], { token }) => t.is(log?.address, token.toLowerCase() as typeof token),
  ),
  watchPendingTransactions: watched<readonly string[]>(
    ({ client }, onTransactions, onError) => client.watchPendingTransactions({ onTransactions, onError }),
    transferOne,
    (t, [hash]) => t.regex(hash ?? '', /^0x[0-9a-f]{64}$/),
  ),
}
