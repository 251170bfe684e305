import { readFileSync } from 'node:fs'
import test from 'ava'
import { parseGenesis } from '../../../src/chain/genesis.ts'
import { genesisText } from '../../../src/rpc/comet/genesisText.ts'
import { SimError } from '../../../src/errors.ts'
import { compareReply, runExample } from '../../helpers/examples.ts'
import { profileSettings } from '../../../src/settings/profiles.ts'
import { CometNode, replyOf, textsOf } from '../../helpers/cometNode.ts'
import { cometTable } from '../../../src/rpc/comet/index.ts'
import type { Example, Method } from '../../../src/rpc/method.ts'

/** Every example runs on a chain of its own, over all transports that have the method. */
const example = test.macro({
  title: (_, { name }: Method, { params }: Example) =>
    `the example ${name} ${JSON.stringify(params)} holds on every transport`,
  exec: (t, method: Method, one: Example) => {
    const fresh = (): CometNode => new CometNode({ rpcUnsafe: true }).blocks('')
    const run = (answerOf: (node: CometNode, message: object) => string) => {
      const node = fresh()
      const { reply } = runExample(method.name, one, (name, given) =>
        JSON.parse(answerOf(node, { jsonrpc: '2.0', id: 'x', method: name, params: given })),
      )
      t.deepEqual(compareReply(one, reply), [], JSON.stringify(reply))
    }
    run((node, message) => node.say(message).at(-1) ?? '')
    if (method.traits.includes('websocketOnly')) return
    run((node, message) => node.post(message).body)
    if (method.traits.includes('changesWorld') || one.before !== undefined) return
    const { params } = one
    const pairs = method.params.map(({ name }, index) => `${name}=${encodeURIComponent(uriText(name, params[index]))}`)
    const uri = fresh().get(`/${method.name}?${pairs.join('&')}`)
    const isOk = uri.status === 200
    t.true(isOk, uri.body)
    // A query of the application may have other bytes here, where base64 has no spelling.
    if (isOk && !/tx|hash/.test(method.params.map(({ name }) => name).join())) {
      t.deepEqual(compareReply(one, JSON.parse(uri.body)), [], uri.body)
    }
  },
})

function uriText(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if ((name === 'tx' || name === 'hash') && typeof value === 'string') return '0x00'
  return typeof value === 'string' && /^-?\d+$/.test(value) ? value : JSON.stringify(value)
}

for (const method of cometTable.methods) for (const one of method.examples) test(example, method, one)

test('every route is there, and has an example', (t) => {
  t.is(cometTable.methods.length, 39)
  const without = cometTable.methods.filter(({ examples }) => examples.length === 0).map(({ name }) => name)
  t.deepEqual(without, [])
})

test('a transaction is found by its hash, with a proof on request', (t) => {
  const node = new CometNode().blocks('a=1 b=2 c=3')
  const { result } = node.call('tx_search', { query: 'tx.height=1', prove: true })
  const { txs } = result as {
    txs: readonly {
      hash: string
      index: number
      proof: { proof: { total: string; aunts: string[] } }
    }[]
  }
  t.deepEqual(
    txs.map(({ index, proof }) => [index, proof.proof.total, proof.proof.aunts.length]),
    [
      [0, '3', 2],
      [1, '3', 2],
      [2, '3', 1],
    ],
  )
  const hash = Buffer.from(txs[1]?.hash ?? '', 'hex').toString('base64')
  t.deepEqual(node.call('tx', { hash, prove: true }).result, txs[1])
  t.false('proof' in (node.call('tx', { hash }).result as object))
  t.like(JSON.parse(node.get(`/tx?hash=0x${txs[1]?.hash}`).body), { result: { index: 1 } })
  t.is(node.call('tx', { hash: 'AAAA' }).error?.data, 'tx (000000) not found')
  t.is(node.call('tx', { hash: '' }).error?.data, 'transaction hash cannot be empty')
})

test('heights follow the rules of each method', (t) => {
  const node = new CometNode().blocks('', '', '')
  const above = 'must be less than or equal to the current blockchain height'
  for (const method of ['block', 'header', 'commit', 'block_results']) {
    t.is(node.call(method, { height: '4' }).error?.data, `height 4 ${above} 3`)
    t.is(node.call(method, { height: '0' }).error?.data, 'height must be greater than 0, but got 0')
  }
  for (const method of ['validators', 'consensus_params']) {
    t.like(node.call(method).result, { block_height: '4' })
    t.is(node.call(method, { height: '5' }).error?.data, `height 5 ${above} 4`)
  }
})

test('before the first block the node answers as an empty store does', (t) => {
  const node = new CometNode()
  t.like(node.call('status').result, {
    sync_info: {
      latest_block_hash: '',
      latest_block_height: '0',
      latest_block_time: '1970-01-01T00:00:00Z',
    },
  })
  t.deepEqual(node.call('block').result, { block_id: { hash: '', parts: { total: 0, hash: '' } }, block: null })
  t.deepEqual(node.call('header').result, { header: null })
  t.is(node.call('commit').result, null)
  t.is(node.call('block_results').error?.data, 'could not find results for height #0')
  t.is(node.call('blockchain').error?.data, "min height 1 can't be greater than max height 0")
  t.like(node.call('validators').result, { block_height: '1', total: '1' })
  t.is(
    node.call('consensus_params', { height: '2' }).error?.data,
    'height 2 must be less than or equal to the current blockchain height 1',
  )
  t.like(node.call('dump_consensus_state').result, {
    round_state: {
      height: '1',
      last_commit: null,
      last_validators: { validators: null, proposer: null },
    },
  })
})

test('a commit is canonical when the next block carries it', (t) => {
  const node = new CometNode().blocks('', '')
  t.like(node.call('commit', { height: '1' }).result, { canonical: true })
  t.like(node.call('commit').result, { canonical: false, signed_header: { commit: { height: '2' } } })
})

test('block metas are the newest twenty at most, downwards', (t) => {
  const node = new CometNode().blocks(...Array.from({ length: 25 }, () => ''))
  const heights = (params: object): string[] => {
    const { result } = node.call('blockchain', params)
    return (result as { block_metas: { header: { height: string } }[] }).block_metas.map(({ header }) => header.height)
  }
  t.deepEqual([heights({}).length, heights({})[0], heights({}).at(-1)], [20, '25', '6'])
  t.deepEqual(heights({ minHeight: '2', maxHeight: '3' }), ['3', '2'])
  t.is(node.call('blockchain', { minHeight: '30' }).error?.data, "min height 30 can't be greater than max height 25")
  t.is(node.call('blockchain', { maxHeight: '-1' }).error?.data, 'heights must be non-negative')
})

test('abci_info is as documented to GET and as on the wire otherwise', (t) => {
  const wire = { response: { data: 'kv', last_block_height: '1' } }
  const node = new CometNode().blocks('')
  t.deepEqual(node.call('abci_info').result, wire)
  t.deepEqual(JSON.parse(node.get('/abci_info').body).result.response, {
    data: 'kv',
    version: '',
    app_version: '0',
    last_block_height: '1',
    last_block_app_hash: '',
  })
  t.deepEqual(JSON.parse(new CometNode({ abciInfo: 'wire' }).blocks('').get('/abci_info').body).result, wire)
  t.deepEqual(JSON.parse(new CometNode({ quirks: ['faithful'] }).blocks('').get('/abci_info').body).result, wire)
  t.like(new CometNode({ abciInfo: 'documented' }).call('abci_info').result, { response: { app_version: '0' } })
})

test('the profile documented has the documented abci_info on every transport', (t) => {
  const node = new CometNode(profileSettings('documented'))
  t.like(node.call('abci_info').result, { response: { app_version: '0' } })
})

test('the made-up peers of net_info are in dump_consensus_state, where the node itself stands', (t) => {
  type Peers<Peer> = { readonly peers: readonly Peer[] }
  const node = new CometNode({ peers: 3 }, 2)
  const peersNow = () =>
    (node.call('dump_consensus_state').result as Peers<{ node_address: string; peer_state: { round_state: object } }>)
      .peers
  t.like(peersNow()[0]?.peer_state.round_state, { height: '1', last_commit_round: -1, last_commit: null })
  node.blocks('a=b')
  const infos = (node.call('net_info').result as Peers<{ node_info: { id: string }; remote_ip: string }>).peers
  const peers = peersNow()
  t.deepEqual(
    peers.map((one) => one.node_address),
    infos.map(({ node_info: { id }, remote_ip: ip }) => `${id}@${ip}:26656`),
  )
  const { start_time } = (node.call('dump_consensus_state').result as { round_state: { start_time: string } })
    .round_state
  t.deepEqual(peers[2]?.peer_state as object, {
    round_state: {
      height: '2',
      round: 0,
      step: 1,
      start_time,
      proposal: false,
      proposal_block_part_set_header: { total: 0, hash: '' },
      proposal_block_parts: null,
      proposal_pol_round: -1,
      proposal_pol: null,
      prevotes: '__',
      precommits: '__',
      last_commit_round: 0,
      last_commit: 'xx',
      catchup_commit_round: -1,
      catchup_commit: null,
    },
    stats: { votes: '0', block_parts: '0' },
  })
})

test('a failing abci_info has a status to GET and an error object otherwise', (t) => {
  const node = new CometNode()
  const app = {
    ...node.world.app,
    info: () => {
      throw new Refused()
    },
  }
  const broken = Object.assign(new CometNode(), { world: { ...node.world, app } })
  t.like(broken.get('/abci_info'), { status: 500, body: '{"jsonrpc":"2.0","id":-1,"error":"boom"}' })
  t.false(broken.get('/abci_info').headers.some(([name]) => name === 'Cache-Control'))
  const post = broken.post({ id: 1, method: 'abci_info' })
  t.like(post, {
    status: 200,
    body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error","data":"boom"}}',
  })
  t.true(post.headers.some(([name]) => name === 'Cache-Control'))
})

test('development controls exist where they are turned on, and have no path', (t) => {
  t.is(new CometNode().get('/advance_blocks?num_blocks=1').status, 404)
  t.false(new CometNode().get('/').body.includes('advance_blocks'))
  const off = new CometNode({ ethApi: ['eth'] })
  t.is(off.call('advance_blocks', { num_blocks: '1' }).result, undefined)
  const page = {
    trusted: false,
    body: '{"id":1,"method":"advance_blocks","params":{"num_blocks":"1"}}',
  }
  t.regex(replyOf(new CometNode().send(page)).body, /not allowed from web pages of other origins/)
})

test('unsafe methods exist only when they are turned on', (t) => {
  t.is(new CometNode().get('/unsafe_flush_mempool').status, 404)
  t.is(new CometNode({ rpcUnsafe: true }).get('/unsafe_flush_mempool').status, 200)
})

test('evidence of a double sign is in the next block, and known from then on', (t) => {
  const node = new CometNode({}, 4).blocks('', '')
  const { result } = node.call('validators')
  const [{ address } = { address: '' }] = (result as { validators: { address: string }[] }).validators
  t.deepEqual(node.call('cause_double_sign', { private_key_address: address }).result, {})
  const evidence = evidenceOf(node.blocks('').call('block').result)
  t.like(evidence, { type: 'tendermint/DuplicateVoteEvidence', value: { vote_a: { validator_address: address } } })
  t.like(node.call('broadcast_evidence', { evidence }).result, {
    hash: /^.{44}$/.exec((node.call('broadcast_evidence', { evidence }).result as { hash: string }).hash)?.[0],
  })
  t.deepEqual(evidenceOf(node.blocks('').call('block').result), undefined)
})

test('evidence that is given is checked, and waits for the next block', (t) => {
  const made = new CometNode({}, 4).blocks('')
  const { result } = made.call('validators', { height: '1' })
  const [{ address } = { address: '' }] = (result as { validators: { address: string }[] }).validators
  const before = made.node
  made.call('cause_double_sign', { private_key_address: address })
  const evidence = evidenceOf(made.blocks('').call('block').result)
  made.node = before
  t.is(made.call('broadcast_evidence', { evidence }).error, undefined)
  t.is(made.node.chain.evidence.length, 1)
  const forged = JSON.parse(JSON.stringify(evidence))
  forged.value.ValidatorPower = '11'
  made.node = before
  t.regex(
    made.call('broadcast_evidence', { evidence: forged }).error?.data ?? '',
    /^failed to add evidence: Invalid evidence: validator power from evidence .* \(11 != 10\)\. Evidence: Dup/,
  )
})

test('a validator that is down leaves its place in commits empty', (t) => {
  const node = new CometNode({}, 4).blocks('')
  const { result } = node.call('validators')
  const [{ address } = { address: '' }] = (result as { validators: { address: string }[] }).validators
  const status = node.call('set_signing_status', { private_key_address: address, status: 'down' })
  t.is((status.result as { new_signing_status_map: Record<string, boolean> }).new_signing_status_map[address], false)
  const commit = node.blocks('').call('commit').result as {
    signed_header: { commit: { signatures: { block_id_flag: number }[] } }
  }
  t.deepEqual(commit.signed_header.commit.signatures.map((one) => one.block_id_flag).sort(), [1, 2, 2, 2])
})

test('waiting transactions are counted, and one more than asked for is shown', (t) => {
  const node = new CometNode()
  node.command({ type: 'setBlockPolicy', policy: { mode: 'manual' } })
  for (const text of ['a=1', 'b=1', 'c=1']) node.call('broadcast_tx_sync', { tx: Buffer.from(text).toString('base64') })
  t.deepEqual(node.call('num_unconfirmed_txs').result, { n_txs: '3', total: '3', total_bytes: '9', txs: null })
  t.deepEqual(node.call('unconfirmed_txs', { limit: '1' }).result, {
    n_txs: '2',
    total: '3',
    total_bytes: '9',
    txs: ['YT0x', 'Yj0x'],
  })
})

test('submissions answer with the verdict, or the refusal', (t) => {
  const node = new CometNode()
  const tx = Buffer.from('a=1').toString('base64')
  t.like(node.call('broadcast_tx_sync', { tx }).result, { code: 0, data: '', log: '', codespace: '' })
  t.is(node.call('broadcast_tx_sync', { tx }).error?.data, 'tx already exists in cache')
  t.is(node.call('broadcast_tx_commit', { tx }).error?.data, 'error on broadcastTxCommit: tx already exists in cache')
  t.like(node.call('broadcast_tx_sync', { tx: 'YQ==' }).result, { code: 1, log: 'expected key=value', codespace: 'kv' })
  t.like(node.call('broadcast_tx_async', { tx: 'Yg==' }).result, { code: 0, log: '' })
})

test('broadcast_tx_commit answers at once where blocks are eager', (t) => {
  const node = new CometNode()
  t.like(node.call('broadcast_tx_commit', { tx: 'YT0x' }).result, {
    height: '1',
    check_tx: { code: 0 },
    tx_result: { code: 0, gas_used: '1' },
  })
  t.like(node.call('broadcast_tx_commit', { tx: 'YQ==' }).result, {
    height: '0',
    check_tx: { code: 1 },
    tx_result: { code: 0, gas_wanted: '0' },
  })
})

test('broadcast_tx_commit waits for its block where blocks are lazy, or for its time', (t) => {
  const lazy = (): CometNode => new CometNode({ lazy: true })
  const ask = { body: '{"id":1,"method":"broadcast_tx_commit","params":{"tx":"YT0x"}}' }
  const patient = lazy()
  t.deepEqual(textsOf(patient.send(ask)), [])
  patient.command({ type: 'produceBlock' })
  t.like(JSON.parse(textsOf(patient.wake('event'))[0] ?? ''), { id: 1, result: { height: '1' } })
  const late = lazy()
  late.send(ask)
  t.like(JSON.parse(textsOf(late.wake('timeout'))[0] ?? ''), {
    error: { data: 'timed out waiting for tx to be included in a block' },
  })
})

test('listeners are limited', (t) => {
  const subscribe = (query: string): object => ({ id: 1, method: 'subscribe', params: { query } })
  const node = new CometNode({ maxSubscriptionClients: 2, maxSubscriptionsPerClient: 1 })
  t.deepEqual(node.say(subscribe("a='1'")), ['{"jsonrpc":"2.0","id":1,"result":{}}'])
  t.true(node.say(subscribe("a='2'"))[0]?.includes('max_subscription_clients 2 reached'))
  t.is(node.call('broadcast_tx_commit', { tx: 'YT0x' }).error?.data, 'max_subscription_clients 2 reached')
  const own = new CometNode({ maxSubscriptionsPerClient: 1 })
  own.say(subscribe("a='1'"))
  t.true(own.say(subscribe('a='))[0]?.includes('max_subscriptions_per_client 1 reached'))
})

test('subscribers are told under the id of their subscription, until they unsubscribe', (t) => {
  const node = new CometNode()
  node.say({ id: 'mine', method: 'subscribe', params: { query: "tm.event='Tx'" } })
  const commit = { id: 2, method: 'broadcast_tx_sync', params: { tx: 'YT0x' } }
  const [push = '', reply = ''] = node.say(commit)
  t.like(JSON.parse(push), { id: 'mine', result: { query: "tm.event='Tx'", data: { type: 'tendermint/event/Tx' } } })
  t.like(JSON.parse(reply), { id: 2, result: { code: 0 } })
  t.deepEqual(node.say({ id: 3, method: 'unsubscribe', params: { query: "tm.event = 'Tx'" } }), [
    '{"jsonrpc":"2.0","id":3,"result":{}}',
  ])
  t.is(node.say({ ...commit, params: { tx: 'Yj0x' } }).length, 1)
  t.true(node.say({ id: 4, method: 'unsubscribe_all' })[0]?.includes('subscription not found'))
})

function evidenceOf(result: unknown): unknown {
  return (result as { block: { evidence: { evidence: unknown[] } } }).block.evidence.evidence[0]
}

class Refused extends SimError {
  constructor() {
    super('REFUSED', 'boom')
  }
}

test('the recorded genesis document is written again byte by byte', (t) => {
  const document = readFileSync(new URL('../../../../genesis/evmd.json', import.meta.url), 'utf8').trim()
  const { text } = genesisText(parseGenesis(document, new Uint8Array(32)))
  t.is(text, document)
})

test('a genesis document comes back in the order of the node, with nothing between its members', (t) => {
  const { result } = new CometNode().call('genesis')
  const { genesis } = result as { genesis: { validators: unknown[] } }
  t.deepEqual(Object.keys(genesis), [
    'genesis_time',
    'chain_id',
    'initial_height',
    'consensus_params',
    'validators',
    'app_hash',
  ])
  t.deepEqual(Object.keys(genesis.validators[0] ?? {}), ['address', 'pub_key', 'power', 'name'])
})
