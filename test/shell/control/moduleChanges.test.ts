import test from 'ava'
import { moduleChanges } from '../../../src/shell/control/moduleChanges.ts'

const event = (type: string, attributes: Readonly<Record<string, string>>) => ({
  type,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: true })),
})

test('coins are added up by address and denom, and what comes back is no change', (t) => {
  const changes = moduleChanges([
    event('coin_spent', { spender: 'alice', amount: '10atest,3ufoo' }),
    event('coin_received', { receiver: 'bob', amount: '7atest' }),
    event('coin_received', { receiver: 'alice', amount: '3ufoo' }),
    event('transfer', { sender: 'alice', recipient: 'bob', amount: '7atest' }),
    event('coin_received', { receiver: 'bob', amount: '' }),
  ])
  t.deepEqual(changes, [
    { address: 'alice', denom: 'atest', validator: null, amount: '-10' },
    { address: 'bob', denom: 'atest', validator: null, amount: '7' },
  ])
})

test('stake changes by delegation, unbonding and redelegation, whose delegator is the sender of its message', (t) => {
  const changes = moduleChanges([
    event('delegate', { validator: 'v1', delegator: 'alice', amount: '9atest', msg_index: '0' }),
    event('unbond', { validator: 'v1', delegator: 'alice', amount: '4atest', msg_index: '1' }),
    event('message', { sender: 'carol', msg_index: '1' }),
    event('redelegate', { source_validator: 'v1', destination_validator: 'v2', amount: '2atest', msg_index: '2' }),
    event('message', { sender: 'bob', msg_index: '2' }),
  ])
  t.deepEqual(changes, [
    { address: 'alice', denom: 'atest', validator: 'v1', amount: '5' },
    { address: 'bob', denom: 'atest', validator: 'v1', amount: '-2' },
    { address: 'bob', denom: 'atest', validator: 'v2', amount: '2' },
  ])
})
