import { defineScenario } from '../../../src/scenario/defineScenario.ts'

const patience = 3

export default defineScenario({
  chainstage: 1,
  name: 'checkout',
  clock: { pace: 'instant' },
  imports: [{ from: './_faults.json5', as: 'net', with: { wait: '2s' } }],
  fixtures: {
    accounts: { alice: { balance: '5 evm' }, users: { count: 2, balance: { int: [1, 9] } } },
  },
  faults: {
    slow: {
      match: { iface: 'eth', method: 'eth_*' },
      effect: { latency: { uniform: ['100ms', '400ms'] } },
    },
  },
  steps: [
    { do: [{ fault: { use: 'slow', for: '5 blocks' } }, { fault: { use: 'net.late' } }, { mine: patience }] },
    { id: 'end', when: { after: '1s' }, expect: { balance: { address: '@alice', min: '1 evm' } } },
  ],
  run: { timeout: '1m' },
})
