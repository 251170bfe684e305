/** A chain that goes on from another one asks for what it needs before anything happens. */
import { cosmosTexts } from '../helpers/addressing.ts'
import test from 'ava'
import { genesisDocument } from '../../src/app/evmd/genesisDocument.ts'
import { forkDocument } from '../../src/app/evmd/forkDocument.ts'
import type { Fact } from '../../src/app/forked.ts'
import { sha256 } from '../../src/crypto/hash.ts'
import { createWorld } from '../../src/shell/world.ts'
import type { InputBody } from '../../src/plan/input.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { createSimulation, simulate } from '../../src/simulation.ts'
import { noPlan } from '../../src/plan/plan.ts'
import { callOf } from '../helpers/requests.ts'

const settings = profileSettings('local')
const point = {
  height: 1000n,
  hash: 'ab'.repeat(32),
  parts: undefined,
  supply: undefined,
  time: '2026-01-01T00:00:00Z',
  baseFee: 7n,
  maxGas: 30_000_000n,
}

const holders = { addressTexts: cosmosTexts, addresses: [new Uint8Array(20).fill(0x33)], amount: 5n }

/**
 * Returns what enters inputs in a forked chain; facts are given when they are wanted, and counted.
 */
function forkedChain() {
  const document = forkDocument(
    genesisDocument({ ...settings, accounts: 0 }, sha256(new TextEncoder().encode(settings.seed))),
    point,
    holders,
  )
  const { world, genesis } = createWorld(settings, document)
  let simulation = createSimulation(world, { settings, genesis, plan: noPlan })
  let seq = 0
  const enter = (body: InputBody) => {
    const turned = simulate(world, simulation, { ...body, seq: ++seq, timeMs: 0n, session: '' })
    simulation = turned.simulation
    return turned
  }
  const told: string[] = []
  /** Enters an input until nothing is wanted for it. */
  const settled = (
    body: InputBody,
    facts: (address: string) => Partial<Extract<Fact, { type: 'account' }>> = () => ({}),
  ) => {
    for (;;) {
      const turned = enter(body)
      if (turned.wanted === undefined) return turned.outputs
      enter({
        kind: 'learned',
        facts: turned.wanted.map((one): Fact => {
          const address = Buffer.from(one.address).toString('hex')
          told.push(address)
          return one.type === 'account'
            ? { ...one, wei: 0n, nonce: 0n, code: new Uint8Array(0), ...facts(address) }
            : { ...one, value: new Uint8Array(32).fill(9) }
        }),
      })
    }
  }
  return { enter, settled, told, simulation: () => simulation }
}

function asked(method: string, params: readonly unknown[]): InputBody {
  return callOf(method, params)
}

const whale = `0x${'11'.repeat(20)}`
const friend = `0x${'22'.repeat(20)}`

test('an input that needs what is not known says so and changes nothing', (t) => {
  const chain = forkedChain()
  chain.settled({ kind: 'tick' })
  const before = chain.simulation()
  const { wanted, outputs } = chain.enter(asked('eth_getBalance', [whale, 'latest']))
  t.deepEqual(wanted, [{ type: 'account', address: new Uint8Array(20).fill(0x11) }])
  t.deepEqual(outputs, [])
  t.is(chain.simulation(), before)
})

test('heights go on from the other chain, and its block is the parent', (t) => {
  const chain = forkedChain()
  chain.settled({ kind: 'tick' })
  const [reply] = chain.settled(asked('eth_getBlockByNumber', ['latest', false]))
  const { result } = JSON.parse(reply?.kind === 'reply' ? reply.body : '') as {
    result: Record<string, string>
  }
  t.is(result['number'], '0x3e9')
  t.is(result['parentHash'], `0x${point.hash}`)
  t.is(result['baseFeePerGas'], '0x6', 'nobody used gas: an eighth less')
})

test('what is sent comes off the balance of the other chain, and nothing is asked twice', (t) => {
  const chain = forkedChain()
  const facts = (address: string) =>
    address === whale.slice(2) ? { wei: 1000n * 10n ** 18n + 7n * 21_000n, nonce: 5n } : {}
  const ask = (method: string, params: readonly unknown[]): unknown => {
    const reply = chain.settled(asked(method, params), facts).find(({ kind }) => kind === 'reply')
    const body = JSON.parse(reply?.kind === 'reply' ? reply.body : '') as {
      result?: unknown
      error?: unknown
    }
    return 'result' in body ? body.result : body.error
  }
  chain.settled({ kind: 'tick' })
  t.is(ask('anvil_impersonateAccount', [whale]), null)
  const hash = ask('eth_sendTransaction', [
    { from: whale, to: friend, value: '0x3635c9adc5dea00000', gas: '0x5208', gasPrice: '0x7' },
  ])
  t.regex(String(hash), /^0x[0-9a-f]{64}$/)
  t.is(ask('eth_getBalance', [whale, 'latest']), '0x0', 'what is spent does not come back')
  t.is(ask('eth_getBalance', [friend, 'latest']), '0x3635c9adc5dea00000')
  t.is(ask('eth_getTransactionCount', [whale, 'latest']), '0x6')
  t.is(ask('eth_getBalance', [whale, '0x3e9']), '0x3635c9adc5dea23e38', 'a height before the transfer')
  t.is(new Set(chain.told).size, chain.told.length)
})

test('reading changes no app hash', (t) => {
  const [one, other] = [forkedChain(), forkedChain()]
  for (const chain of [one, other]) chain.settled({ kind: 'tick' })
  one.settled(asked('eth_getBalance', [whale, 'latest']), () => ({ wei: 5n }))
  for (const chain of [one, other]) chain.settled(asked('evm_mine', []))
  t.deepEqual(one.simulation().node.chain.app.appHash, other.simulation().node.chain.app.appHash)
})
