import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { perform } from '../../src/shell/perform.ts'

test('a CPU profile runs from its start to its stop and lands in the home directory', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'perform-'))
  t.teardown(() => rm(home, { recursive: true }))
  const outside = await perform({ type: 'startProfile', profile: 'cpu', path: '../cpu.json' }, home)
  t.regex(outside.ok ? '' : outside.error, /can only be written inside the home directory/)
  t.true((await perform({ type: 'startProfile', profile: 'cpu', path: 'cpu.json' }, home)).ok)
  t.false((await perform({ type: 'startProfile', profile: 'cpu', path: 'cpu.json' }, home)).ok)
  t.true((await perform({ type: 'stopProfile', profile: 'cpu' }, home)).ok)
  t.false((await perform({ type: 'stopProfile', profile: 'cpu' }, home)).ok)
  const profile = JSON.parse(await readFile(join(home, 'cpu.json'), 'utf8')) as { nodes: unknown[] }
  t.true(profile.nodes.length > 0)
})
