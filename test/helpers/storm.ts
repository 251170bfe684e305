/** Random controls and transactions against a model that knows only what was asked. */
import fc from 'fast-check'
import type { ExecutionContext } from 'ava'
import { start } from '../../src/index.ts'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const receivers = ['0x', '0x', '0x'].map((prefix, index) => `${prefix}${String(index + 1).repeat(40)}`)

type Model = {
  readonly height: number
  readonly nonce: number
  readonly balances: readonly bigint[]
  readonly waiting: readonly { readonly to: number; readonly value: bigint }[]
  readonly isAutomatic: boolean
  readonly block: string
}

const commands = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant('send' as const), to: fc.nat(2), value: fc.bigInt(1n, 1000n) }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('time' as const), seconds: fc.integer({ min: 1, max: 9999 }) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('checkpoint' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('restore' as const), which: fc.nat(7) }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('deal' as const), to: fc.nat(2), value: fc.bigInt(0n, 10n ** 20n) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('automine' as const), isOn: fc.boolean() }),
  },
)

/** Runs commands drawn from a seed, comparing chain and model after each. */
export async function storm(t: ExecutionContext, count: number, seed: number): Promise<void> {
  await using chain = await start({ ports: 'none', settings: { pace: 'manual' } })
  const ask = (method: string, ...params: unknown[]) => chain.eth.request({ method, params })
  const blockOf = () => JSON.stringify([...chain.simulation().node.chain.lastBlockId.hash])
  let model: Model = {
    height: 1,
    nonce: 0,
    balances: [0n, 0n, 0n],
    waiting: [],
    isAutomatic: true,
    block: blockOf(),
  }
  const remembered = new Map<unknown, Model>()
  const used: unknown[] = []

  const mined = (blocks: number): Model => ({
    ...model,
    height: model.height + blocks,
    waiting: [],
    balances: model.balances.map((one, index) =>
      model.waiting.filter(({ to }) => to === index).reduce((sum, { value }) => sum + value, one),
    ),
  })

  for (const [index, command] of fc.sample(commands, { numRuns: count, seed }).entries()) {
    switch (command.type) {
      case 'send': {
        const { to, value } = command
        await ask('eth_sendTransaction', {
          from: alice,
          to: receivers[to],
          value: `0x${value.toString(16)}`,
          gas: '0x5208',
          gasPrice: '0x174876e800',
        })
        model = { ...model, nonce: model.nonce + 1, waiting: [...model.waiting, { to, value }] }
        if (model.isAutomatic) model = mined(1)
        break
      }
      case 'mine':
        await ask('anvil_mine', command.blocks)
        model = mined(command.blocks)
        break
      case 'time':
        await ask('evm_increaseTime', command.seconds)
        break
      case 'deal':
        await ask('anvil_setBalance', receivers[command.to], `0x${command.value.toString(16)}`)
        model = {
          ...model,
          balances: model.balances.map((one, at) => (at === command.to ? command.value : one)),
        }
        break
      case 'automine':
        await ask('evm_setAutomine', command.isOn)
        model = { ...model, isAutomatic: command.isOn }
        // What waits is not left waiting for the next transaction.
        if (command.isOn && model.waiting.length > 0) model = mined(1)
        break
      case 'checkpoint': {
        const id = await ask('evm_snapshot')
        t.false(remembered.has(id))
        remembered.set(id, { ...model, block: blockOf() })
        break
      }
      case 'restore': {
        const ids = [...remembered.keys(), ...used.slice(-2), '0x7777']
        const id = ids[command.which % ids.length]
        const old = remembered.get(id)
        t.is(await ask('evm_revert', id), old !== undefined, `command ${index}`)
        if (old === undefined) break
        model = { ...old, isAutomatic: model.isAutomatic }
        t.is(blockOf(), old.block, `command ${index}`)
        const younger = [...remembered.keys()].slice([...remembered.keys()].indexOf(id))
        for (const gone of younger) {
          remembered.delete(gone)
          used.push(gone)
        }
      }
    }
    const said = await Promise.all([
      ask('eth_blockNumber'),
      ask('eth_getTransactionCount', alice, 'latest'),
      ask('eth_getTransactionCount', alice, 'pending'),
      ...receivers.map((one) => ask('eth_getBalance', one, 'latest')),
      chain.comet.call<{ n_txs: string }>('num_unconfirmed_txs').then(({ n_txs: waiting }) => waiting),
    ])
    const wanted = [
      model.height,
      model.nonce - model.waiting.length,
      model.nonce,
      ...model.balances,
      model.waiting.length,
    ]
    if (said.some((one, at) => BigInt(String(one)) !== BigInt(wanted[at] ?? -1))) {
      t.fail(`command ${index} ${Object.values(command).join(' ')}: ${said.join()} instead of ${wanted.join()}`)
    }
  }
  t.pass()
}
