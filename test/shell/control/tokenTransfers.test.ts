/** What is kept of the holders that pages ask for. */
import test from 'ava'
import { holdersInTransfers } from '../../../src/shell/control/tokenTransfers.ts'
import type { Instance } from '../../../src/shell/ports.ts'
import { localSimulation } from '../../helpers/ethSimulation.ts'
import { memoryInUse } from '../../helpers/memoryInUse.ts'

test('asking for the holders of addresses without transfers fills no memory', async (t) => {
  const { simulation } = localSimulation()
  const instance = { simulation } as Instance
  const ask = (count: number) => {
    for (let number = 0; number < count; number++) {
      const address = Buffer.alloc(20)
      address.writeUInt32BE(number)
      holdersInTransfers(instance, address)
    }
  }
  ask(100)
  const before = await memoryInUse()
  ask(30_000)
  const grown = (await memoryInUse()) - before
  t.true(grown < 3e6, `${Math.round(grown / 1e6)} MB more`)
})
