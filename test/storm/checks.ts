/** What must hold after every step of a storm. Each check throws what does not. */
import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { GetTxRequest, GetTxResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { createDraft } from '../../src/app/draft.ts'
import type { AppState } from '../../src/app/state.ts'
import type { Simulation } from '../../src/simulation/turn.ts'
import { agendaEntries } from '../../src/data/agenda.ts'
import { bech32Of } from '../../src/codec/bech32.ts'
import { digest } from '../../src/simulation/digest.ts'
import { accounts } from './accounts.ts'
import { frameHead, type Asked, type Clients, type Head } from './clients.ts'
import type { Stage } from './stage.ts'

/** Digests of simulations that did not change since the last step. */
const digests = new WeakMap<Simulation, string>()

function digestOf(simulation: Simulation): string {
  const known = digests.get(simulation) ?? digest(simulation)
  digests.set(simulation, known)
  return known
}

/** The digest of every chain is that of a straight replay of its inputs. */
export function checkDigests(stage: Stage): void {
  const { main, sessions, pasts, fork } = stage.life()
  for (const one of [main, ...sessions.list(), ...(fork === undefined ? [] : [fork.instance])]) {
    const replayed = pasts.get(one.session)?.replayed()
    if (replayed === undefined || digestOf(replayed) !== digestOf(one.simulation())) {
      throw new Error(`the digest of chain "${one.session}" is not that of a replay`)
    }
  }
}

/** States whose supply was checked. */
const balanced = new WeakSet<AppState>()

/** The supply of every token is the sum of all balances. */
export function checkSupply({ node }: Simulation): void {
  if (balanced.has(node.chain.app)) return
  balanced.add(node.chain.app)
  const store = createDraft({ ...node.chain.app }).raw('bank')
  const entries = (prefix: number) => store.iterate({ start: Uint8Array.of(prefix), end: Uint8Array.of(prefix + 1) })
  const sums = new Map<string, bigint>()
  for (const [key, value] of entries(2)) {
    const denom = Buffer.from(key.subarray(2 + (key[1] ?? 0))).toString()
    sums.set(denom, (sums.get(denom) ?? 0n) + BigInt(Buffer.from(value).toString()))
  }
  for (const [key, value] of entries(0)) {
    const denom = Buffer.from(key.subarray(1)).toString()
    const supply = BigInt(Buffer.from(value).toString())
    if (supply !== sums.get(denom))
      throw new Error(`the supply of ${denom} is ${supply}, balances are ${sums.get(denom)}`)
  }
}

/** Every request was answered once, unless its answer is still owed or its reader has stopped. */
export function checkAnswers(clients: Clients, { node }: Simulation, seqOf: (id: number) => number | undefined): void {
  const waiting = new Set([
    ...node.owed.map(({ stamp }) => stamp.seq),
    ...[...agendaEntries(node.agenda)].flatMap(({ item }) =>
      item.type === 'deliver' && item.output.kind === 'reply' ? [item.output.seq] : [],
    ),
  ])
  for (const { id, what, over, answers } of clients.asked()) {
    if (answers === 1 || (over !== undefined && (!over.socket.isOpen() || over.socket.isStalled()))) continue
    if (!waiting.has(seqOf(id) ?? 0)) throw new Error(`${what} was answered ${answers} times`)
  }
}

/** Subscribers have received every block since they subscribed, once and in order. */
export function checkHeads(clients: Clients, heads: readonly Head[]): void {
  for (const { socket, heads: subscriptions } of clients.open()) {
    for (const { from, got } of subscriptions.values()) {
      const wanted = heads.slice(from)
      const text = (list: readonly Head[]) => list.map(({ height, hash }) => `${height} ${hash.slice(0, 8)}`).join()
      const seen = socket.isStalled() ? wanted.slice(0, got.length) : wanted
      if (text(got) !== text(seen))
        throw new Error(`a subscriber received blocks ${text(got)} instead of ${text(seen)}`)
    }
  }
}

/** What a node keeps does not grow with what it was asked. */
export function checkBounds(stage: Stage, clients: Clients): void {
  const { node, journal } = stage.life().main.simulation()
  const open = clients.open()
  const most = (what: string, count: number, limit: number) => {
    if (count > limit) throw new Error(`expected at most ${limit} ${what}, found ${count}`)
  }
  most('connections', node.connections.size, open.length)
  most('subscribers of Ethereum JSON-RPC', node.subscriptions.eth.size, open.length)
  most('subscribers of CometBFT RPC', node.subscriptions.comet.size, open.length)
  most('calls in the journal', journal.calls.length - journal.dropped, 512)
  most('masked faults', node.faults.masked.length, 1000)
  const paths = stage.disk().paths()
  const parts = paths.filter((path) => path.includes('.history/'))
  most('open files', stage.disk().handles(), 5)
  most('files of old blocks', parts.length, 3)
  most('other files', paths.length - parts.length, 4)
}

/** All interfaces say the same of the last block, of an account and of the last transaction. */
export async function checkAgreement(stage: Stage, clients: Clients, account: number, tx?: string): Promise<void> {
  const address = accounts[account % accounts.length] ?? ''
  const bech32 = bech32Of('cosmos', Buffer.from(address.slice(2), 'hex'))
  const block = clients.ask('eth', 'eth_getBlockByNumber', ['latest', false])
  const status = clients.ask('comet', 'status', {})
  const latest = clients.get('/cosmos/base/tendermint/v1beta1/blocks/latest')
  const balance = clients.ask('eth', 'eth_getBalance', [address, 'latest'])
  const coins = clients.get(`/cosmos/bank/v1beta1/balances/${bech32}/by_denom?denom=atest`)
  const query = QueryBalanceRequest.encode({ address: bech32, denom: 'atest' }).finish()
  const coin = clients.call('/cosmos.bank.v1beta1.Query/Balance', query)
  if (!(await stage.settle())) return
  const eth = resultOf<{ number: string; hash: string; transactions: string[] }>(block)
  const comet = resultOf<{ sync_info: { latest_block_height: string; latest_block_hash: string } }>(status)
  const rest = bodyOf<{ block_id: { hash: string }; block: { header: { height: string } } }>(latest)
  const { chain } = stage.life().main.simulation().node
  same('heights', [
    String(chain.height),
    String(Number(eth.number)),
    comet.sync_info.latest_block_height,
    rest.block.header.height,
  ])
  same('block hashes', [
    Buffer.from(chain.lastBlockId.hash).toString('hex'),
    eth.hash.slice(2),
    comet.sync_info.latest_block_hash.toLowerCase(),
    Buffer.from(rest.block_id.hash, 'base64').toString('hex'),
  ])
  same(`balances of ${address}`, [
    String(BigInt(resultOf<string>(balance))),
    bodyOf<{ balance: { amount: string } }>(coins).balance.amount,
    QueryBalanceResponse.decode(coin.bytes?.subarray(frameHead) ?? new Uint8Array()).balance?.amount ?? 'none',
  ])
  if (tx !== undefined) await checkCosmosTx(stage, clients, tx)
  const hash = eth.transactions.at(-1)
  if (hash === undefined) return
  const receipt = clients.ask('eth', 'eth_getTransactionReceipt', [hash])
  const found = clients.ask('comet', 'tx_search', { query: `ethereum_tx.ethereumTxHash='${hash}'` })
  if (!(await stage.settle())) return
  const { txs } = resultOf<{ txs: { height: string; tx_result: { code: number } }[] }>(found)
  const { blockNumber, status: success } = resultOf<{ blockNumber: string; status: string }>(receipt)
  same(`blocks of ${hash}`, [String(Number(blockNumber)), ...txs.map(({ height }) => height)])
  if (txs.length !== 1 || success !== '0x1') throw new Error(`${hash} has ${txs.length} results, and status ${success}`)
}

/** CometBFT RPC, the REST API and gRPC say the same of a Cosmos transaction, if it is in a block. */
async function checkCosmosTx(stage: Stage, clients: Clients, tx: string): Promise<void> {
  const found = clients.ask('comet', 'tx_search', { query: `tx.hash='${tx}'` })
  const rest = clients.get(`/cosmos/tx/v1beta1/txs/${tx}`)
  const grpc = clients.call('/cosmos.tx.v1beta1.Service/GetTx', GetTxRequest.encode({ hash: tx }).finish())
  if (!(await stage.settle())) return
  const { txs } = resultOf<{ txs: { height: string; tx_result: { code: number; gas_used: string } }[] }>(found)
  const { tx_response: response } = bodyOf<{ tx_response?: { height: string; code: number; gas_used: string } }>(rest)
  const { txResponse } = GetTxResponse.decode(grpc.bytes?.subarray(frameHead) ?? new Uint8Array())
  const inComet = txs.map(({ height, tx_result: { code, gas_used: gas } }) => `${height} ${code} ${gas}`).join()
  same(`results of ${tx}`, [
    inComet,
    response === undefined ? '' : `${response.height} ${response.code} ${response.gas_used}`,
    txResponse === undefined ? '' : `${txResponse.height} ${txResponse.code} ${txResponse.gasUsed}`,
  ])
}

function same(what: string, values: readonly string[]): void {
  if (new Set(values).size !== 1) throw new Error(`the interfaces name different ${what}: ${values.join(', ')}`)
}

function resultOf<Value>(asked: Asked): Value {
  const { result } = bodyOf<{ result?: Value }>(asked)
  if (result === undefined || result === null) throw new Error(`${asked.what} was answered with ${asked.body}`)
  return result
}

function bodyOf<Value>({ body, what }: Asked): Value {
  if (body === undefined) throw new Error(`${what} was not answered`)
  return JSON.parse(body) as Value
}
