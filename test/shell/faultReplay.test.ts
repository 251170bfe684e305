import { once } from 'node:events'
import test from 'ava'
import { WebSocket } from 'ws'
import { compileFault } from '../../src/scenario/compileFault.ts'
import { fault } from '../../src/scenario/faultSchema.ts'
import { compileScenario } from '../../src/scenario/compile.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { post } from '../helpers/raw.ts'
import { replayRecorded, runRecorded } from '../helpers/recordedRun.ts'
import { eventually, freePorts } from '../helpers/server.ts'

const rules = {
  pushes: {
    select: { probability: '1/2' },
    effect: { ws: { drop: true } },
    match: {
      subscription: 'newHeads',
    },
  },
  slow: { effect: { latency: { uniform: ['1ms', '5ms'] } }, match: { method: 'eth_blockNumber' } },
  flaky: {
    select: { probability: '1/3', key: 'client+request' },
    effect: { rpcError: 'limitExceeded' },
  },
  door: { effect: { ws: { refuse: true } } },
} as const

test('what faults did to connections and calls is replayed from the inputs alone', async (t) => {
  const settings = {
    ...profileSettings('local'),
    ...freePorts,
  }
  const { plan } = compileScenario(new Map([['s.json5', "{ chainstage: 1, name: 'x' }"]]), 's.json5')
  const { running, lines } = await runRecorded(settings, plan)
  const socket = new WebSocket(running.urls.ethWs)
  let heard = 0
  socket.on('message', () => {
    heard += 1
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
  await eventually(() => heard === 1)
  for (const [name, rule] of Object.entries(rules)) {
    running.operate('test', {
      type: 'setFault',
      fault: {
        rule: compileFault(name, fault.parse(rule)),
      },
    })
  }
  const [refused] = (await once(new WebSocket(running.urls.ethWs), 'error')) as [Error]
  t.regex(refused.message, /503/)
  for (let asked = 0; asked < 40; asked++) {
    await post(running.urls.eth, {
      jsonrpc: '2.0',
      id: asked,
      method: asked % 4 === 0 ? 'evm_mine' : 'eth_blockNumber',
      params: [],
    })
  }
  const { counts } = running.simulation().node.faults
  for (const name of Object.keys(rules)) t.true((counts.get(name)?.applied ?? 0) > 0, name)
  socket.terminate()
  await running.close()

  t.is(replayRecorded(settings, lines, plan), undefined)
})
