/** A fault that is saved from the dashboard into the file of a scenario that runs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { freePorts, scratch, startCli } from '../../helpers/cli.ts'
import { api, startControlled } from '../../helpers/control.ts'
import { eventually } from '../../helpers/server.ts'

test('a saved fault is in the file beside its comments, and the chain has it after the reload', async (t) => {
  const path = join(scratch(), 's.json5')
  const text = "{\n  // mine\n  chainstage: 1, name: 's', chain: { profile: 'local' },\n}\n"
  writeFileSync(path, text)
  const started = startCli(['start', path, ...freePorts])
  try {
    const [, url = ''] = await started.says(/Dashboard on (http:\/\/127\.0\.0\.1:\d+)/)
    const save = (rule: unknown) =>
      fetch(`${url}/api/faults/save`, { method: 'POST', body: JSON.stringify({ name: 'slow-node', rule }) })
    t.is((await save({ effect: { latency: 5 } })).status, 400)
    t.is(readFileSync(path, 'utf8'), text)
    t.is((await save({ match: { method: 'eth_*' }, effect: { latency: '20ms' } })).status, 200)
    await eventually(() => /generation 2/.test(started.out() + started.err()))
    const told = (await (await fetch(`${url}/api/faults`)).json()) as { available: { name: string }[] }
    t.is(told.available[0]?.name, 'slow-node')
    t.regex(readFileSync(path, 'utf8'), /\/\/ mine[^]*'slow-node'/)
  } finally {
    started.process.kill()
    await started.ended
  }
})

test('a chain that follows no file refuses to save a fault', async (t) => {
  await using server = await startControlled()
  const { status, body } = await api(server, '/faults/save', { name: 'slow', rule: { effect: { hang: true } } })
  t.is(status, 404)
  t.regex(body.error.message, /no scenario that is followed/)
})

test('the scenario of the package is not written to', async (t) => {
  const started = startCli(['start', ...freePorts], {}, scratch())
  try {
    const [, url = ''] = await started.says(/Dashboard on (http:\/\/127\.0\.0\.1:\d+)/)
    const rule = { effect: { latency: '1ms' } }
    const answer = await fetch(`${url}/api/faults/save`, { method: 'POST', body: JSON.stringify({ name: 'f', rule }) })
    t.is(answer.status, 400)
    t.regex(await answer.text(), /a scenario of the chainstage package.*Copy it to chainstage\.json5/)
  } finally {
    started.process.kill()
    await started.ended
  }
})
