/**
 * Every key of `config.toml` that is declared: with another value the node does something else.
 */
import test from 'ava'
import { cometSettings } from '../../../src/settings/cometSettings.ts'
import type { Setting, SettingValue } from '../../../src/settings/setting.ts'
import { Configured } from '../../helpers/configured.ts'
import { repliesIn } from '../../helpers/kvSimulation.ts'
import { ask } from '../../helpers/raw.ts'
import { startLocal } from '../../helpers/server.ts'
import { cometRequest } from '../../helpers/requests.ts'

/** What is seen of a chain, with a key as it is by default and with another value. */
type Effect = {
  readonly value: string
  readonly see: (chain: Configured) => unknown
  readonly seen: readonly [unknown, unknown]
  readonly flags?: Record<string, string>
}

const manual = { blocks: 'manual' }
const query = (text: string) => ({ query: text })
const json = (text: string) => JSON.parse(text) as Record<string, Record<string, unknown>>
const info = (chain: Configured) => json(chain.ask('status'))['node_info']

/**
 * The longest time between two blocks when so many validators that propose one after the other are
 * down.
 */
const slowest = (down: number) => (chain: Configured) => {
  const next = () => {
    const { height } = chain
    return chain.until(() => chain.height > height)
  }
  const proposers = Array.from({ length: 7 }, () => {
    next()
    return json(chain.ask('header'))['header']?.['proposer_address'] as string
  })
  for (const address of proposers.slice(0, down)) {
    chain.command({ type: 'setSigning', validator: Buffer.from(address, 'hex'), up: false })
  }
  return Math.max(...Array.from({ length: 9 }, next))
}

const interval = { blocks: 'interval' }
const seven = { blocks: 'interval', validators: '7' }

/** Blocks in some time of a chain to which nobody sends anything. */
const idle = (ms: number) => (chain: Configured) => {
  chain.enter({ kind: 'tick' }, ms)
  return chain.height
}

const twice = (chain: Configured, tx: string) =>
  [chain.submit(tx), chain.submit(tx)].map((text) =>
    text.includes('"code"') ? (JSON.parse(text).code as number) : text,
  )

const effects: Record<string, Effect> = {
  'rpc.unsafe': {
    value: 'true',
    see: (chain) => chain.ask('unsafe_flush_mempool'),
    seen: ['Method not found', '{}'],
  },
  'rpc.max_subscription_clients': {
    value: '1',
    see: (chain) => chain.say(1, 'subscribe', query('a=1')),
    seen: ['{}', 'max_subscription_clients 1 reached'],
  },
  'rpc.max_subscriptions_per_client': {
    value: '1',
    seen: ['{}', 'max_subscriptions_per_client 1 reached'],
    see: (chain) => [chain.say(1, 'subscribe', query('a=1')), chain.say(1, 'subscribe', query('a=2'))].at(-1),
  },
  'rpc.timeout_broadcast_tx_commit': {
    value: '"2s"',
    flags: manual,
    seen: [10_000, 2000],
    see: (chain) => {
      chain.enter(cometRequest({ body: '{"id":1,"method":"broadcast_tx_commit","params":{"tx":"YT1i"}}' }))
      return chain.until((outputs) => repliesIn(outputs).length > 0)
    },
  },
  'rpc.max_request_batch_size': {
    value: '1',
    see: (chain) => chain.post('[{"id":1,"method":"health"},{"id":2,"method":"health"}]').startsWith('['),
    seen: [true, false],
  },
  moniker: {
    value: '"mine"',
    see: (chain) => info(chain)?.['moniker'],
    seen: ['chainstage', 'mine'],
  },
  'p2p.laddr': {
    value: '"tcp://1.2.3.4:5"',
    see: (chain) => info(chain)?.['listen_addr'],
    seen: ['tcp://0.0.0.0:26656', 'tcp://1.2.3.4:5'],
  },
  'p2p.external_address': {
    value: '"5.6.7.8:9"',
    see: (chain) => info(chain)?.['listen_addr'],
    seen: ['tcp://0.0.0.0:26656', '5.6.7.8:9'],
  },
  'p2p.pex': {
    value: 'false',
    see: (chain) => info(chain)?.['channels'],
    seen: ['40202122233038606100', '402021222330386061'],
  },
  'mempool.type': {
    value: '"nop"',
    flags: manual,
    see: (chain) => chain.submit('a=b').slice(0, 30),
    seen: ['{"code":0,"data":"","log":"","', 'not allowed with `nop` mempool'],
  },
  'mempool.size': {
    value: '0',
    flags: manual,
    see: (chain) => chain.submit('a=b').slice(0, 15),
    seen: ['{"code":0,"data', 'mempool is full'],
  },
  'mempool.max_txs_bytes': {
    value: '4',
    flags: manual,
    see: (chain) => [chain.submit('a=b'), chain.submit('c=d').slice(0, 15)][1],
    seen: ['{"code":0,"data', 'mempool is full'],
  },
  'mempool.max_tx_bytes': {
    value: '2',
    flags: manual,
    see: (chain) => chain.submit('a=b').slice(0, 38),
    seen: ['{"code":0,"data":"","log":"","codespac', 'Tx too large. Max size is 2, but got 3'],
  },
  'mempool.cache_size': {
    value: '0',
    flags: manual,
    see: (chain) => twice(chain, 'a=b'),
    seen: [
      [0, 'tx already exists in cache'],
      [0, 0],
    ],
  },
  'mempool.keep-invalid-txs-in-cache': {
    value: 'true',
    flags: manual,
    see: (chain) => twice(chain, 'x'),
    seen: [
      [2, 2],
      [2, 'tx already exists in cache'],
    ],
  },
  'mempool.recheck': {
    value: 'false',
    flags: manual,
    seen: ['0', '1'],
    see: (chain) => {
      const key = Buffer.alloc(32, 5).toString('base64')
      chain.submit(`val=ed25519!${key}!5`)
      chain.mine()
      // Both remove the same validator: after the first the second is wrong.
      chain.submit(`val=ed25519!${key}!0`)
      const { hash } = JSON.parse(chain.submit(`val=ed25519!${key}!+0`)) as { hash: string }
      chain.command({ type: 'holdTx', hash: Buffer.from(hash, 'hex'), held: true })
      chain.mine()
      return chain.waiting()
    },
  },
  'mempool.ttl-num-blocks': {
    value: '1',
    flags: manual,
    seen: ['1', '0'],
    see: (chain) => {
      chain.submit('a:b')
      chain.mine(2)
      return chain.waiting()
    },
  },
  'mempool.ttl-duration': {
    value: '"3s"',
    flags: manual,
    seen: ['1', '0'],
    see: (chain) => {
      chain.submit('a:b')
      chain.enter({ kind: 'tick' }, 3001)
      chain.mine()
      return chain.waiting()
    },
  },
  'tx_index.indexer': {
    value: '"null"',
    see: (chain) => chain.ask('tx_search', query('tx.height=1')),
    seen: ['{"txs":[],"total_count":"0"}', 'transaction indexing is disabled'],
  },
  'storage.discard_abci_responses': {
    value: 'true',
    flags: manual,
    seen: ['{"height":"1"', 'node is not p'],
    see: (chain) => {
      chain.mine()
      return chain.ask('block_results', { height: '1' }).slice(0, 13)
    },
  },
  'consensus.timeout_commit': { value: '"2s"', flags: seven, see: slowest(0), seen: [1000, 2000] },
  'consensus.timeout_propose': { value: '"1s"', flags: seven, see: slowest(1), seen: [5000, 3000] },
  'consensus.timeout_propose_delta': {
    value: '"1s"',
    flags: seven,
    see: slowest(2),
    seen: [10_000, 10_500],
  },
  'consensus.timeout_precommit': {
    value: '"3s"',
    flags: seven,
    see: slowest(1),
    seen: [5000, 7000],
  },
  'consensus.timeout_precommit_delta': {
    value: '"1s"',
    flags: seven,
    see: slowest(2),
    seen: [10_000, 10_500],
  },
  'consensus.skip_timeout_commit': {
    value: 'true',
    flags: interval,
    see: idle(300),
    seen: [0n, 300n],
  },
  'consensus.create_empty_blocks': {
    value: 'false',
    flags: interval,
    see: idle(2000),
    seen: [2n, 1n],
  },
  'consensus.create_empty_blocks_interval': {
    value: '"4s"',
    flags: interval,
    see: idle(2000),
    seen: [2n, 1n],
  },
}

/**
 * Prevotes are never split here: the first proposer that is down makes everybody vote nil at once.
 */
const without = ['consensus.timeout_prevote', 'consensus.timeout_prevote_delta']

/** Where the effect of the others is tested. */
const elsewhere = {
  'rpc.laddr': 'http.test.ts',
  'rpc.tls_cert_file': 'tls.test.ts',
  'rpc.tls_key_file': 'tls.test.ts',
  'rpc.cors_allowed_origins': 'cors.test.ts',
  'rpc.max_open_connections': 'http.test.ts',
  'rpc.experimental_websocket_write_buffer_size': 'outbox.test.ts',
  'rpc.experimental_subscription_buffer_size': 'outbox.test.ts',
  'rpc.experimental_close_on_slow_client': 'outbox.test.ts',
  'instrumentation.prometheus': 'metrics/server.test.ts',
  'instrumentation.prometheus_listen_addr': 'metrics/server.test.ts',
  'instrumentation.max_open_connections': 'metrics/server.test.ts',
  'instrumentation.namespace': 'metrics/server.test.ts',
}

const places = Object.values<Setting<SettingValue>>(cometSettings).flatMap(({ file }) =>
  file === undefined ? [] : [file.section === '' ? file.key : `${file.section}.${file.key}`],
)

const acts = test.macro({
  title: (_, key: string) => `${key} acts`,
  exec: (t, key: string) => {
    const { value, see, seen, flags } = effects[key] ?? t.fail()
    const [section, name = section] = key.split('.')
    const text = name === section ? `${name} = ${value}` : `[${section}]\n${name} = ${value}`
    t.deepEqual([see(new Configured('', flags)), see(new Configured(text, flags))], seen)
  },
})

for (const key of Object.keys(effects)) test(acts, key)

/** How a server that listens answers. */
const overWire: Record<
  string,
  {
    settings: Parameters<typeof startLocal>[0]
    see: (url: string) => Promise<unknown>
    seen: readonly [unknown, unknown]
  }
> = {
  'rpc.cors_allowed_methods': {
    settings: { corsAllowedMethods: ['PUT'] },
    see: (url) => preflight(url, 'PUT', 'content-type'),
    seen: [undefined, 'PUT'],
  },
  'rpc.cors_allowed_headers': {
    settings: { corsAllowedHeaders: ['X-Mine'] },
    see: (url) => preflight(url, 'POST', 'x-mine'),
    seen: [undefined, 'POST'],
  },
  'rpc.max_body_bytes': {
    settings: { maxBodyBytes: 20 },
    seen: [200, 400],
    see: async (url) => (await ask(url, { verb: 'POST', body: '{"id":1,"method":"health"}' })).status,
  },
  'rpc.max_header_bytes': {
    settings: { maxHeaderBytes: 10 },
    seen: [200, 431],
    see: async (url) => (await ask(`${url}/health`, { headers: { 'x-big': 'a'.repeat(9000) } })).status,
  },
}

async function preflight(url: string, method: string, headers: string): Promise<unknown> {
  const asked = {
    origin: 'http://x',
    'access-control-request-method': method,
    'access-control-request-headers': headers,
  }
  return (await ask(url, { verb: 'OPTIONS', headers: asked })).headers['access-control-allow-methods']
}

test('what is judged before a message is read acts too', async (t) => {
  await using usual = await startLocal({ application: 'kvstore' })
  for (const [key, { settings, see, seen }] of Object.entries(overWire)) {
    await using other = await startLocal({ application: 'kvstore', ...settings })
    t.deepEqual([await see(usual.urls.comet), await see(other.urls.comet)], seen, key)
  }
})

test('no key is without a test', (t) => {
  const tested = [...Object.keys(effects), ...Object.keys(overWire), ...Object.keys(elsewhere), ...without]
  t.deepEqual(places.toSorted(), tested.toSorted())
})
