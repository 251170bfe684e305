/** What every engine of the input log promises (`inputLog.ts`). JetStream's has tests in `fleet/`. */
import { join } from 'node:path'
import test from 'ava'
import { openFileLog } from '../../../src/shell/inputLog/fileLog.ts'
import type { InputLog } from '../../../src/shell/inputLog/inputLog.ts'
import { createMemoryLog } from '../../../src/shell/inputLog/memoryLog.ts'
import { stateBytes } from '../../../src/shell/stateFile.ts'
import { scratch } from '../../helpers/cli.ts'
import { KvSimulation } from '../../helpers/kvSimulation.ts'
import { createMemoryDisk } from '../../helpers/memoryDisk.ts'
import { drawFrom } from '../../helpers/randomTx.ts'

const [first, second, third] = (() => {
  const chain = new KvSimulation()
  return [1, 2, 3].map(() => {
    chain.command({ type: 'produceBlock' })
    return stateBytes(chain.simulation)
  })
})() as [Buffer, Buffer, Buffer]

const engines: Readonly<Record<string, () => Promise<InputLog>>> = {
  memory: () => Promise.resolve(createMemoryLog()),
  file: () => openFileLog(join(scratch(), 'chain.state')),
  'file on a disk in memory': () => openFileLog('/home/chain.state', { disk: createMemoryDisk(drawFrom(1)) }),
  'file that the operating system keeps': () => openFileLog(join(scratch(), 'chain.state'), { durability: 'write' }),
}

const append = (log: InputLog, sequence: number) => log.append({ sequence, text: `entry ${sequence}` })

for (const [name, open] of Object.entries(engines)) {
  test(`${name}: a new log is empty`, async (t) => {
    const log = await open()
    t.is(await log.snapshot(), undefined)
    t.is(log.last(), 0)
    await log.close()
  })

  test(`${name}: entries are numbered without gaps and acknowledged in order`, async (t) => {
    const log = await open()
    await log.shorten({ sequence: 1, bytes: first })
    const acknowledged: number[] = []
    const appended = [2, 3, 4].map((sequence) => append(log, sequence).then(() => acknowledged.push(sequence)))
    await Promise.all(appended)
    t.deepEqual(acknowledged, [2, 3, 4])
    t.is(log.last(), 4)
    for (const sequence of [4, 6]) await t.throwsAsync(append(log, sequence), { code: 'OUT_OF_ORDER' })
    t.is(log.last(), 4)
    await log.close()
  })

  test(`${name}: a snapshot removes what it contains, and entries go on while it is stored`, async (t) => {
    const log = await open()
    await log.shorten({ sequence: 1, bytes: first })
    for (const sequence of [2, 3]) await append(log, sequence)
    await Promise.all([log.shorten({ sequence: 2, bytes: second }), append(log, 4)])
    await append(log, 5)
    t.is(log.last(), 5)
    // A later number than the last entry's replaces the chain.
    await log.shorten({ sequence: 6, bytes: third })
    t.is(log.last(), 6)
    await append(log, 7)
    t.is(log.last(), 7)
    await log.close()
  })
}

test('memory: what was kept is read again', async (t) => {
  const log = createMemoryLog()
  await log.shorten({ sequence: 1, bytes: first })
  for (const sequence of [2, 3, 4]) await append(log, sequence)
  await log.shorten({ sequence: 3, bytes: second })
  t.deepEqual(await log.snapshot(), { sequence: 3, bytes: second })
  const texts: string[] = []
  for await (const { text } of log.read(3)) texts.push(text)
  t.deepEqual(texts, ['entry 4'])
  await log.close()
  await t.throwsAsync(append(log, 5), { code: 'OUT_OF_ORDER' })
})
