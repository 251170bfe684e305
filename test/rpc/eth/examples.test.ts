import test from 'ava'
import { devTable } from '../../../src/rpc/dev/index.ts'
import { ethTable } from '../../../src/rpc/eth/index.ts'
import { compareReply, runExample } from '../../helpers/examples.ts'
import { localSimulation, type Reply } from '../../helpers/ethSimulation.ts'

const ethApi = ['eth', 'web3', 'net', 'txpool', 'debug', 'personal', 'dev', 'miner', 'admin']

for (const { name, kind, examples } of [...ethTable.methods, ...devTable.methods]) {
  test(`${name} does what its examples say`, (t) => {
    t.true(examples.length > 0)
    for (const example of examples) {
      const chain = localSimulation(name === 'rpc_modules' ? {} : { ethApi, ...example.settings })
      const { params, reply } = runExample(name, example, (method, given): Reply => {
        if (kind !== 'subscription') return chain.call(method, ...given)
        const [text = ''] = chain.over(1, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: given }))
        return JSON.parse(text)
      })
      t.deepEqual(compareReply(example, reply), [], JSON.stringify({ params, reply }))
    }
  })
}
