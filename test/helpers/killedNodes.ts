/** Kills nodes that keep their chain while viem sends transactions, and looks for each of them afterwards. */
import { once } from 'node:events'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { createPublicClient, createWalletClient, http, type Hash, type Hex, type PublicClient } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { freePorts, scratch, startCli, type Started } from './cli.ts'
import { chainOf, eventually } from './server.ts'

const phrase = 'test test test test test test test test test test test junk'
const accounts = [0, 1, 2].map((addressIndex) => mnemonicToAccount(phrase, { addressIndex }))

/** Of a transaction that a client was told of; `block` once a client was told that, too. */
type Acknowledged = { readonly hash: Hash; readonly nonce: number; block?: Hash }

export type Killing = {
  readonly times: number
  /** Milliseconds from the first transaction of a round to its end. */
  readonly after?: (round: number) => number
  /** The input data of every transaction: large ones make the node shorten its log. */
  readonly data: (round: number) => Hex
  readonly flags?: readonly string[]
}

/** Starts a node, kills it under load, and starts it again, so many times. */
export async function killNodes(t: ExecutionContext, killing: Killing): Promise<void> {
  const { times, data, after = (round) => (round * 61) % 397, flags = [] } = killing
  const home = join(scratch(), 'home')
  const acknowledged: Acknowledged[][] = accounts.map(() => [])
  let height = 0n
  for (let round = 0; round <= times; round++) {
    const { node, url } = await startNode(home, flags)
    const client: PublicClient = createPublicClient({ chain: chainOf(url), transport: http(url) })
    const now = await client.getBlockNumber()
    t.true(now >= height, `round ${round}: height ${now} after ${height}`)
    height = now
    await assertAllThere(t, client, acknowledged)
    if (round > 0) await node.says(/continued from height \d+ \(/, 'err')
    if (round === times) {
      node.process.kill('SIGTERM')
      t.is((await node.ended).code, 0)
      break
    }
    const before = acknowledged.flat().length
    const sending = accounts.map((_, index) => sendUntilKilled(url, index, data(round), acknowledged[index] ?? []))
    const isUnderLoad = () => acknowledged.flat().length > before
    await Promise.race([eventually(isUnderLoad), Promise.all(sending)])
    // Spread over the time of many transactions, and the same in every run.
    await new Promise((done) => setTimeout(done, after(round)))
    node.process.kill('SIGKILL')
    await once(node.process, 'exit')
    await Promise.all(sending)
    t.true(isUnderLoad(), `round ${round}: no transaction was acknowledged`)
  }
}

async function startNode(home: string, flags: readonly string[]): Promise<{ node: Started; url: string }> {
  const node = startCli(['start', '--home', home, '--profile', 'local', '--json', ...freePorts, ...flags])
  const [text] = await node.says(/\{"chainstage".*\}/)
  return { node, url: (JSON.parse(text) as { urls: { eth: string } }).urls.eth }
}

/** Sends one transaction after another, until the node is gone. */
async function sendUntilKilled(url: string, index: number, data: Hex, told: Acknowledged[]): Promise<void> {
  const account = accounts[index]!
  const chain = chainOf(url)
  const transport = http(url, { retryCount: 0, timeout: 60_000 })
  const wallet = createWalletClient({ account, chain, transport })
  const reader = createPublicClient({ chain, transport })
  try {
    let nonce = await reader.getTransactionCount({ address: account.address })
    for (;;) {
      const [gas, fees] = [1_500_000n, { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n }]
      const hash = await wallet.sendTransaction({ to: account.address, value: 1n, data, gas, nonce, ...fees })
      const one: Acknowledged = { hash, nonce }
      told.push(one)
      nonce += 1
      one.block = (await reader.getTransactionReceipt({ hash })).blockHash
    }
  } catch {
    // The node was killed: what it was asked last may have happened or not.
  }
}

/** Of each account the newest ones; the count says that there are the older ones, too. */
async function assertAllThere(t: ExecutionContext, client: PublicClient, all: Acknowledged[][]): Promise<void> {
  for (const [index, told] of all.entries()) {
    const count = await client.getTransactionCount({ address: accounts[index]!.address })
    t.true(count > (told.at(-1)?.nonce ?? -1), `account ${index} has sent ${count}, and more were acknowledged`)
    const last = told.slice(-200)
    const receipts = await Promise.all(last.map(({ hash }) => client.getTransactionReceipt({ hash })))
    for (const [place, receipt] of receipts.entries()) {
      t.is(receipt.status, 'success')
      const block = last[place]?.block
      if (block !== undefined) t.is(receipt.blockHash, block)
    }
  }
}
