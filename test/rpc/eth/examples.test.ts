import test from 'ava'
import { devTable } from '../../../src/rpc/dev/index.ts'
import { ethTable } from '../../../src/rpc/eth/index.ts'
import { localSimulation } from '../../helpers/ethSimulation.ts'

/** Whether an example allows a result: `…` stands for anything. */
function allows(wanted: unknown, found: unknown): boolean {
  if (wanted === '…') return found !== undefined
  if (Array.isArray(wanted)) {
    const isAsLong = Array.isArray(found) && wanted.length === found.length
    return isAsLong && wanted.every((each, at) => allows(each, found[at]))
  }
  if (typeof wanted !== 'object' || wanted === null) return Object.is(wanted, found)
  if (typeof found !== 'object' || found === null) return false
  return (
    Object.keys(wanted).length === Object.keys(found).length &&
    Object.entries(wanted).every(([name, each]) => allows(each, Reflect.get(found, name)))
  )
}

const ethApi = ['eth', 'web3', 'net', 'txpool', 'debug', 'personal', 'dev', 'miner', 'admin']

for (const { name, examples } of [...ethTable.methods, ...devTable.methods]) {
  if (examples.length === 0) continue
  test(`${name} does what its examples say`, (t) => {
    for (const { params, result } of examples) {
      const reply = localSimulation(name === 'rpc_modules' ? {} : { ethApi }).call(name, ...params)
      t.true(allows(result, reply.result), JSON.stringify({ params, reply, wanted: result }))
    }
  })
}
