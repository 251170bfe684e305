/** Every effect on calls, one test each: what viem, ethers and cosmjs saw of it. */
import test from 'ava'
import { fault as faultFile } from '../../src/scenario/faultSchema.ts'
import { askers } from '../helpers/faultClients.ts'
import { plant, withTx } from '../helpers/faultStage.ts'
import { callFaults, type CallFault } from '../helpers/faultTable.ts'
import { startLocal } from '../helpers/server.ts'

const each = test.macro({
  async exec(t, row: CallFault) {
    await using server = await startLocal()
    const sent = await withTx(server)
    await plant(server, row)
    const names = ['viem', 'ethers', 'cosmjs'] as const
    const { question = 'height', isSilent = false } = row
    const asking = { question, sent, patienceMs: isSilent ? 1000 : 60_000 }
    const seen = await Promise.all(names.map((name) => askers[name](server, asking)))
    for (const [index, name] of names.entries()) t.regex(seen[index] ?? '', row[name], name)
  },
  title: (title = '') => `clients see ${title}`,
})
for (const [title, row] of Object.entries(callFaults)) test.serial(title, each, row)

test('the table of calls leaves no effect out', (t) => {
  // Effects of WebSockets, pages and gRPC have tables of their own.
  const { ws: _, cors: _cors, grpc: _grpc, malformed, reset, ...others } = faultFile.shape.effect.shape
  const tried = Object.values(callFaults).flatMap(({ effect }) =>
    'eth' in effect ? [effect.eth, effect.comet] : [effect],
  )
  t.deepEqual(
    Object.keys(others).filter((name) => !tried.some((one) => name in one)),
    [],
  )
  for (const damage of malformed.unwrap().options) {
    t.true(
      tried.some((one) => one.malformed === damage),
      damage,
    )
  }
  for (const when of reset.unwrap().options)
    t.true(
      tried.some((one) => one.reset === when),
      when,
    )
})
