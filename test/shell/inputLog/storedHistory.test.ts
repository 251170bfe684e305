/** Old blocks leave memory: nobody may notice, whatever a crash leaves. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'ava'
import { heldIn } from '../../../src/chain/heldHistory.ts'
import { historyPathOf, partPath } from '../../../src/shell/inputLog/chunkPlace.ts'
import { openFileLog } from '../../../src/shell/inputLog/fileLog.ts'
import { createKeeping } from '../../../src/shell/inputLog/keeping.ts'
import { replayLog } from '../../../src/shell/inputLog/replayLog.ts'
import { referring } from '../../../src/shell/inputLog/storedHistory.ts'
import { bytesOfState, readState, stateBytes, simulationInFile, writeState } from '../../../src/shell/stateFile.ts'
import { resting, withoutConnections } from '../../../src/simulation/resume.ts'
import { scratch } from '../../helpers/cli.ts'
import { localSimulation } from '../../helpers/ethSimulation.ts'
import { assertKept, inMemory, led, seen, stages, until } from '../../helpers/keptHistory.ts'

test('old blocks leave memory for the files beside the state file, and are found from there', async (t) => {
  const path = join(scratch(), 'home', 'chain.state')
  const log = await openFileLog(path)
  const keeping = createKeeping({ log, say: () => {}, shortenAfter: 1 })
  const chain = localSimulation({}, { open: 0 })
  chain.command({ type: 'produceBlock', count: 130 })
  const before = seen(chain.simulation())
  await keeping.begin(chain.simulation())
  await until(() => {
    const [from, input] = [
      chain.simulation(),
      { kind: 'operator', by: 'test', command: { type: 'produceBlock' } },
    ] as const
    chain.command(input.command)
    keeping.entered({ ...input, seq: 1, timeMs: 0n, session: '' }, from, chain.simulation())
    return inMemory(chain.simulation()) === 0
  })
  t.is(inMemory(chain.simulation()), 0)
  await keeping.kept()
  t.deepEqual(seen(chain.simulation()), before)
  const ended = referring(withoutConnections(chain.simulation()), log.history)
  await log.finish(bytesOfState(ended.state, ended.parts))
  t.deepEqual(readdirSync(dirname(path)).toSorted(), ['chain.state', 'chain.state.history'])
  // A copy of both is a whole chain, a copy of the file alone is not.
  const copies = join(scratch(), 'copies')
  mkdirSync(copies)
  cpSync(dirname(path), join(copies, 'both'), { recursive: true })
  const copied = await readState(join(copies, 'both', 'chain.state'))
  t.deepEqual(copied && seen(copied), before)
  t.is(copied && inMemory(copied), [...heldIn(chain.simulation().node.chain.history)].length)
  cpSync(path, join(copies, 'alone.state'))
  await t.throwsAsync(readState(join(copies, 'alone.state')), { code: 'BROKEN_HISTORY' })
  // An export has everything.
  await writeState(join(copies, 'export.state'), chain.simulation())
  const exported = await readState(join(copies, 'export.state'))
  t.deepEqual(exported && seen(exported), before)
  const again = await openFileLog(path)
  const found = await replayLog(again)
  t.is(found && inMemory(found.simulation), 0)
  t.deepEqual(found && seen(found.simulation), before)
  await again.finish(stateBytes(chain.simulation()))
  t.false(existsSync(`${path}.history`))
  t.deepEqual(seen((await readState(path))!), before)
})

test('a snapshot does not contain what is in the files already', async (t) => {
  const path = join(scratch(), 'home', 'chain.state')
  const log = await openFileLog(path)
  const sizes: number[] = []
  for (const [index, bytes] of stages.entries()) {
    const simulation = simulationInFile(bytes)
    await log.shorten({ sequence: index + 1, bytes })
    await led(log, simulation)
    const { state, parts } = referring(simulation, log.history)
    sizes.push(JSON.stringify([state.simulation.node.chain.history.records.storage.chunks[0]]).length)
    t.true(statSync(`${path}.history/000001`).size > 0)
    t.true((parts?.[0]?.bytes ?? 0) > 0)
  }
  t.true(
    sizes.every((size) => size < 200),
    sizes.join(),
  )
  await log.close()
})

test('a power failure leaves a chain whose old blocks are all there', async (t) => {
  for (const crashAt of [50, 90, 130, 170]) await assertKept(t, crashAt, { crashAt, shortWrites: 4 })
})

test('after a sync that failed no snapshot refers to what a power failure takes', async (t) => {
  for (const seed of [0, 2]) await assertKept(t, seed, { failedSyncs: 5, shortWrites: 4 })
})

test('a state file that is missing beside its history is an error, and the history stays', async (t) => {
  const path = join(scratch(), 'chain.state')
  mkdirSync(`${path}.history`)
  cpSync(import.meta.filename, `${path}.history/000001`)
  await t.throwsAsync(openFileLog(path), { code: 'BAD_STATE', message: /has its old blocks/ })
  t.true(existsSync(`${path}.history/000001`))
})

test('a bit that has changed in the first line of a state file is an error, and the history stays', async (t) => {
  const path = join(scratch(), 'chain.state')
  const whole = bytesOfState(resting(localSimulation().simulation()), [{ part: 1, bytes: 9 }])
  mkdirSync(historyPathOf(path))
  const part = partPath(historyPathOf(path), 1)
  writeFileSync(part, 'old block')
  for (let bit = 0; bit < 8 * (whole.indexOf('\n') + 1); bit++) {
    const bytes = Buffer.from(whole)
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    writeFileSync(path, bytes)
    await t.throwsAsync(openFileLog(path), { code: 'BAD_STATE', message: /chain\.state: / }, `bit ${bit}`)
  }
  t.is(readFileSync(part, 'utf8'), 'old block')
  writeFileSync(path, whole)
  await (await openFileLog(path)).close()
})
