import test from 'ava'
import { KvSimulation } from '../../helpers/kvSimulation.ts'
import { cometRequest } from '../../helpers/requests.ts'

const tx = Buffer.from('a=1').toString('base64')

function found(chain: KvSimulation): string {
  const query = encodeURIComponent('"tx.height>0"')
  const [reply] = chain.enter(cometRequest({ verb: 'GET', target: `/tx_search?query=${query}`, body: '' }))
  return JSON.parse(reply?.kind === 'reply' ? reply.body : '{}').result.total_count
}

test('a transaction is searchable with its block', (t) => {
  const chain = new KvSimulation()
  chain.ask('broadcast_tx_sync', { tx })
  t.is(found(chain), '1')
})

test('with comet-index-lag it is a moment later', (t) => {
  const chain = new KvSimulation({ settings: { quirks: ['comet-index-lag'] } })
  chain.ask('broadcast_tx_sync', { tx })
  t.is(found(chain), '0')
  chain.tick(4)
  t.is(found(chain), '0')
  chain.tick(1)
  t.is(found(chain), '1')
})
