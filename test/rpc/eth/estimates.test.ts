/** Gas estimates. */
import test from 'ava'
import { localSimulation } from '../../helpers/ethSimulation.ts'

const rich = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const poor = '0x1111111111111111111111111111111111111111'
const receiver = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const ether = '0xde0b6b3a7640000'

/** The estimate of a transfer with a price, or the error. */
function estimate(from: string, overrides: object): unknown {
  const args = { from, to: receiver, value: '0x1', gasPrice: '0x3b9aca00' }
  const { result, error } = localSimulation().call('eth_estimateGas', args, 'latest', overrides)
  return result ?? error?.message.replace('rpc error: code = Unknown desc = ', '')
}

const takes = test.macro({
  title: (_, name) => `an estimate with a price allows for ${name}`,
  exec: (t, _name: string, from: string, overrides: object, wanted: string) => {
    t.is(estimate(from, overrides), wanted)
  },
})

test(takes, 'the balance of the sender', poor, {}, 'insufficient funds for transfer')
test(takes, 'a balance in the overrides', poor, { [poor]: { balance: ether } }, '0x5208')
test(takes, 'a lower balance in the overrides', rich, { [rich]: { balance: '0x1' } }, 'insufficient funds for transfer')
test(takes, 'an override without a balance', rich, { [rich]: { nonce: '0x7' } }, '0x5208')
test(
  takes,
  'the balance of the sender alone',
  poor,
  { [receiver]: { balance: ether } },
  'insufficient funds for transfer',
)

test('an estimate is found where the node finds it when a failed creation burns all gas that it gets', (t) => {
  const { result } = localSimulation().call('eth_estimateGas', { from: rich, data: '0x60fe5f526001601f5ff000' })
  t.is(Number(result), 85_187)
})

test('an estimate is found where the node finds it when a call that fails is ignored', (t) => {
  // Calls the pairing precompile, which needs more than the rest of the message, and goes on.
  const data = '0x5f5f5f5f5f60085af15f5f5f5f5f60045af100'
  t.is(Number(localSimulation().call('eth_estimateGas', { from: rich, data }).result), 60_769)
  const { call } = localSimulation()
  call('anvil_setCode', receiver, data)
  const { result } = call('eth_estimateGas', { from: rich, to: receiver, data: '0x01' })
  t.true(Number(result) < 40_000, `${Number(result)} is less than the pairing costs`)
})
