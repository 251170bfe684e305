/** A transaction in the mempool: why it is waiting, and the actions available for it. */
import { post } from '../core/api.ts'
import { confirm } from '../core/dialog.tsx'
import { duration, gwei, number, units } from '../core/format.ts'
import { coin, refresh } from '../core/live.ts'
import { go, route } from '../core/router.ts'
import { run, say } from '../core/said.ts'
import type { Waiting, WaitingTx } from '../core/shapes.ts'
import { AddressLink, Copy, Fields, Folded, Pill } from '../parts/basics.tsx'
import { Line } from './decoded.tsx'

function hold(hash: string, held: boolean): void {
  void run(post('/mempool/hold', { hash, held }).then(refresh), () =>
    held ? 'Held the transaction.' : 'Released the transaction.',
  )
}

function drop(hash: string): void {
  confirm('Drop a transaction', {
    text: `${hash} will be removed from the mempool. The sender is not notified.`,
    verb: 'Drop',
    act: () => run(post('/mempool/drop', { hash }).then(refresh), () => 'Dropped the transaction.'),
  })
}

/** Replaces a transaction; from its own page, opens the page of the new one. */
async function replace(hash: string, cancel: boolean): Promise<void> {
  try {
    const made = await post<{ hash: string }>('/mempool/replace', { hash, cancel })
    say(cancel ? 'Replaced the transaction with a zero-value transfer.' : 'Replaced the transaction with higher fees.')
    if (route.value.page === 'tx') go('tx', made.hash)
    refresh()
  } catch (error) {
    say((error as Error).message, true)
  }
}

/** The buttons for one transaction in the mempool. */
export function WaitingActions({ hash, state, kind }: Pick<Waiting, 'hash' | 'state' | 'kind'>) {
  return (
    <span class="formrow">
      <button type="button" class="small" onClick={() => hold(hash, state !== 'held')}>
        {state === 'held' ? 'Release' : 'Hold'}
      </button>
      {kind === 'ethereum' ? (
        <>
          <button type="button" class="small" onClick={() => void replace(hash, false)}>
            Raise fees
          </button>
          <button type="button" class="small" onClick={() => void replace(hash, true)}>
            Cancel
          </button>
        </>
      ) : null}
      <button type="button" class="small" onClick={() => drop(hash)}>
        Drop…
      </button>
    </span>
  )
}

export function WaitingPage({ tx }: { tx: WaitingTx }) {
  const hashes = [
    ['Ethereum hash', tx.ethHash, 'the Ethereum hash'],
    ['Cosmos hash', tx.hash, 'the Cosmos hash'],
  ] as const
  return (
    <>
      <p class="verdict">
        <Pill kind={tx.state === 'pending' ? 'info' : 'warn'}>{tx.state}</Pill>
        {tx.call === null ? null : <Line name={tx.call.name} args={tx.call.args} />}
        <span>Not in a block yet: {tx.reason}.</span>
      </p>
      <WaitingActions {...tx} />
      <div class="card">
        <Fields
          pairs={[
            ...hashes.map(([name, text, what]): [string, preact.ComponentChildren] => [
              name,
              text === null ? null : (
                <span class="mono break">
                  {text} <Copy text={text} what={what} />
                </span>
              ),
            ]),
            ['Waiting', `${duration(tx.waitedMs)}, since height ${number(tx.sinceHeight)}`],
            ['From', tx.sender === null ? null : <AddressLink address={tx.sender} whole />],
            ['To', tx.to === null ? null : <AddressLink address={tx.to} whole />],
            ['Value', tx.wei === null ? null : `${units(tx.wei)} ${coin.value} (${tx.wei} wei)`],
            ['Nonce', tx.nonce === null ? null : number(tx.nonce)],
            ['Gas limit', number(tx.gasWanted)],
            ['Fee cap', tx.feeCap === null ? null : `${gwei(tx.feeCap)} gwei`],
            ['Size', `${number(tx.sizeBytes)} bytes`],
          ]}
        />
      </div>
      {tx.input === null || tx.input === '0x' ? null : <Folded title="Calldata in hex" value={tx.input} />}
      <Folded title="Cosmos bytes" value={tx.raw} />
    </>
  )
}
