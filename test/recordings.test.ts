import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import test from 'ava'
import { replayText } from '../src/shell/replayer.ts'
import { rerecord } from './helpers/rerecord.ts'

const folder = new URL('../../snapshots/', import.meta.url)

for (const name of readdirSync(folder).filter((file) => file.endsWith('.jsonl'))) {
  const text = () => readFileSync(new URL(name, folder), 'utf8')
  // After a change of genesis or wire that is meant: UPDATE_RECORDINGS=1, and read the difference.
  if (process.env['UPDATE_RECORDINGS'] !== undefined) {
    writeFileSync(new URL(name, folder), await rerecord(text()))
  }

  test(`the recording ${name} replays with every output the same`, async (t) => {
    const { count, difference } = await replayText(text())
    t.is(difference, undefined, JSON.stringify(difference))
    t.true(count > 0)
  })

  test(`the recording ${name} with one flipped digit is found out`, async (t) => {
    const flipped = text().replace(
      /(\\"result\\":\\"0x\w*)(\w)\\"/,
      (_, start: string, digit: string) => `${start}${digit === '0' ? '1' : '0'}\\"`,
    )
    t.not(flipped, text())
    t.not((await replayText(flipped)).difference, undefined)
  })
}
