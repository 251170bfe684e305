/** A command that is refused or runs into a bug is no success, neither for the API nor for programs. */
import { createServer } from 'node:http'
import test from 'ava'
import { SimError } from '../../../src/errors.ts'
import { profileSettings } from '../../../src/settings/profiles.ts'
import { act, ActionMetBug, ActionRefused, ActionUnconfirmed, actNow } from '../../../src/shell/control/act.ts'
import type { KnownAbis } from '../../../src/shell/control/abis.ts'
import { createApp } from '../../../src/shell/control/app.ts'
import type { Controlled } from '../../../src/shell/control/controlled.ts'
import { replaceTx } from '../../../src/shell/control/waitingTx.ts'
import type { Instance, Operated } from '../../../src/shell/ports.ts'
import { startLocal } from '../../helpers/server.ts'

const bug: Operated = { kind: 'bug', incident: 7 }
const unconfirmed: Operated = { kind: 'unconfirmed', message: 'no leader' }
const refused: Operated = { kind: 'refused', message: 'no such account' }

/** An instance all of whose commands come to the same; `entered` names them. */
function endingIn(operated: Operated, entered: string[] = [], waits = false): Instance {
  return {
    operate: (_, { type }) => {
      entered.push(type)
      return { now: waits ? undefined : operated, settled: Promise.resolve(operated) }
    },
    kept: () => Promise.resolve(),
    caughtUp: () => Promise.resolve({ kind: 'done' }),
  } as Partial<Instance> as Instance
}

const twice = { commands: [{ type: 'reset' }, { type: 'produceBlock' }], result: () => 'result' } as const

test('an action ends at the command that had no effect', async (t) => {
  for (const [operated, kind] of [
    [bug, ActionMetBug],
    [refused, ActionRefused],
  ] as const) {
    const entered: string[] = []
    await t.throwsAsync(
      act(endingIn(operated, entered), () => twice),
      { instanceOf: kind },
    )
    t.throws(() => actNow(endingIn(operated, entered), twice), { instanceOf: kind })
    t.deepEqual(entered, ['reset', 'reset'])
  }
  t.is(await act(endingIn({ kind: 'done' }), () => twice), 'result')
})

test('an action that waits resolves after its commands, and at once has the result of before', async (t) => {
  t.is(actNow(endingIn(refused, [], true), twice), 'result')
  await t.throwsAsync(
    act(endingIn(refused, [], true), () => twice),
    { instanceOf: ActionRefused },
  )
})

test('an action is computed after the member of a fleet has caught up with its leader', async (t) => {
  const done: string[] = []
  const instance: Instance = {
    ...endingIn({ kind: 'done' }, done),
    caughtUp: async () => {
      await Promise.resolve()
      done.push('caught up')
      return { kind: 'done' }
    },
  }
  await act(instance, () => {
    done.push('computed')
    return twice
  })
  t.deepEqual(done, ['caught up', 'computed', 'reset', 'produceBlock'])
})

test('an action is not computed while no leader answers', async (t) => {
  const instance: Instance = { ...endingIn({ kind: 'done' }), caughtUp: () => Promise.resolve(unconfirmed) }
  const computed = () => {
    throw new Error('computed')
  }
  const simulation = computed as unknown as Instance['simulation']
  const replaced = replaceTx({ ...instance, simulation }, { hash: '0x00' }, {} as KnownAbis)
  for (const acted of [act(instance, computed), replaced]) {
    await t.throwsAsync(acted, { instanceOf: ActionUnconfirmed, message: 'no leader' })
  }
})

test('the API answers a bug with 500 and logs it, no leader with 504, a refusal with 400', async (t) => {
  const answers = []
  const logged: string[] = []
  const log = (level: string, text: string) => logged.push(`${level} ${text}`)
  for (const operated of [bug, unconfirmed, refused]) {
    const controlled = { log, sessions: { find: () => endingIn(operated) } } as unknown as Controlled
    const server = createServer(createApp(controlled, () => profileSettings('local')))
    await new Promise<void>((done) => {
      server.listen(0, '127.0.0.1', done)
    })
    const { port } = server.address() as { port: number }
    const answer = await fetch(`http://127.0.0.1:${port}/api/reset`, { method: 'POST', body: '{}' })
    const { error } = (await answer.json()) as { error: { code: string; message: string } }
    answers.push([answer.status, error.code, error.message])
    await new Promise((done) => {
      server.close(done)
      server.closeAllConnections()
    })
  }
  t.deepEqual(answers, [
    [500, 'ACTION_MET_BUG', 'the command ran into a bug in chainstage and had no effect: incident 7'],
    [504, 'ACTION_UNCONFIRMED', 'no leader'],
    [400, 'ACTION_REFUSED', 'no such account'],
  ])
  t.is(logged.length, 1)
  t.regex(logged[0] ?? '', /incident 7/)
})

test('operate of a program throws what refuses the command', async (t) => {
  await using server = await startLocal()
  const before = server.simulation().node.chain
  t.true(t.throws(() => server.operate({ type: 'rollback', depth: 10_000n })) instanceof SimError)
  t.throws(() => server.operate({ type: 'produceBlok' } as unknown as { type: 'produceBlock' }), {
    code: 'ACTION_REFUSED',
    message: 'there is no command of the type "produceBlok"',
  })
  t.is(server.simulation().node.chain, before)
})

test('mining without a quorum is refused, with how to bring a validator up', async (t) => {
  await using server = await startLocal({ validators: 3, controlAddress: '127.0.0.1:0' })
  server.mine(1)
  const [first] = server.simulation().node.chain.validators.validators
  const address = Buffer.from(first?.address ?? []).toString('hex')
  await server.comet.call('set_signing_status', { private_key_address: address.toUpperCase(), status: 'down' })
  const expected = {
    code: 'ACTION_REFUSED',
    message: 'the validators that sign have 2000 of 3000 power; a block needs more than two thirds',
    hint: 'Bring one up with set_signing_status on CometBFT RPC, or with signing: { validator, up: true } in a step.',
  }
  t.like(
    t.throws(() => server.mine(2)),
    expected,
  )
  const answer = await fetch(`${server.urls.control}/api/mine`, { method: 'POST', body: '{"blocks":2}' })
  t.is(answer.status, 400)
  t.like(await answer.json(), { error: expected })
  const before = server.simulation().node.chain
  for (const [path, body] of [
    ['time', '{"by":"1h","mine":true}'],
    ['reorg', '{"depth":1}'],
  ] as const) {
    const refused = await fetch(`${server.urls.control}/api/${path}`, { method: 'POST', body })
    t.like(await refused.json(), { error: expected }, path)
    t.is(server.simulation().node.chain, before, path)
  }
  await server.comet.call('set_signing_status', { private_key_address: address.toUpperCase(), status: 'up' })
  t.is(server.mine(2), 4)
})

test('mining that a lost quorum or a halt cuts short is refused with the number of blocks', async (t) => {
  await using server = await startLocal({ validators: 3, controlAddress: '127.0.0.1:0' })
  const first = Buffer.from(server.simulation().node.chain.validators.validators[0]?.address ?? []).toString('hex')
  const sign = (status: string) =>
    server.comet.call('set_signing_status', { private_key_address: first.toUpperCase(), status })
  const mine = async (blocks: number) => {
    const answer = await fetch(`${server.urls.control}/api/mine`, { method: 'POST', body: JSON.stringify({ blocks }) })
    return (await answer.json()) as { height?: number; error?: { code: string; message: string } }
  }
  const mined = mine(100_000)
  while (server.simulation().node.mining?.length !== 1) await new Promise((done) => setTimeout(done, 1))
  await sign('down')
  const { error } = await mined
  t.is(error?.code, 'ACTION_REFUSED')
  t.regex(
    error?.message ?? '',
    /^only \d+ of 100000 blocks were mined: the validators that sign have 2000 of 3000 power; a block needs more /,
  )
  await sign('up')
  t.true((await mine(12)).height !== undefined)
  const height = server.simulation().node.chain.height + 3n
  server.operate({ type: 'edit', edits: [{ type: 'planUpgrade', plan: { name: 'v2', info: '', height } }] })
  const expected = `only 2 of 4 blocks were mined: UPGRADE "v2" NEEDED at height: ${height}: `
  t.throws(() => server.mine(4), { code: 'ACTION_REFUSED', message: expected })
})

test('mining on a chain that halted for an upgrade is refused in the words of the node', async (t) => {
  await using server = await startLocal({ controlAddress: '127.0.0.1:0' })
  const height = server.simulation().node.chain.height + 1n
  const plan = { name: 'v2', info: '', height }
  server.operate({ type: 'edit', edits: [{ type: 'planUpgrade', plan }] })
  const answer = await fetch(`${server.urls.control}/api/mine`, { method: 'POST', body: '{"blocks":2}' })
  t.is(answer.status, 400)
  const { error } = (await answer.json()) as { error: { message: string } }
  t.is(error.message, `UPGRADE "v2" NEEDED at height: ${height}: `)
})
