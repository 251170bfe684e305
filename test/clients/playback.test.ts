/**
 * What viem, ethers, web3 and cosmjs exchanged with a real node is played back to the same clients:
 * each ends with the summary of that day and asks for nothing that was not recorded.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { readFolder } from '../../src/recording/folder/readFolder.ts'
import { writeFolder } from '../../src/recording/folder/writeFolder.ts'
import { importTap } from '../../src/recording/playback/importTap.ts'
import { cometNames } from '../../src/shell/playback.ts'
import { startPlayback, type Playing } from '../helpers/playback.ts'

const traffic = new URL('../../../test/recording/traffic/', import.meta.url)
const textOf = (name: string) => readFileSync(new URL(name, traffic), 'utf8')
const origin = { version: '1', recordedAt: '2026-01-01T00:00:00Z', level: 0 } as const

/** Resolves with the line that a client prints at its end. */
async function clientSays(name: string, { running: { urls } }: Playing): Promise<string> {
  const words = ['--a', urls.comet, '--b', urls.eth, '--ws', urls.ethWs]
  const script = fileURLToPath(new URL(`clients/${name}.mjs`, traffic))
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...words], { timeout: 120_000 })
  return stdout
}

const plays = test.macro(async (t, recording: string, clients: readonly string[]) => {
  t.timeout(180_000)
  const imported = importTap(textOf(`${recording}.jsonl`), cometNames)
  await using playing = await startPlayback(readFolder(writeFolder(imported, origin), cometNames))
  const said = await Promise.all(clients.map((name) => clientSays(name, playing)))
  const recorded = textOf(`${recording}.summary`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  const byClient = (line: unknown) => (line as { client: string }).client
  t.deepEqual(
    said.map((line) => JSON.parse(line) as unknown).toSorted((a, b) => (byClient(a) < byClient(b) ? -1 : 1)),
    recorded.toSorted((a, b) => (byClient(a) < byClient(b) ? -1 : 1)),
  )
  t.deepEqual(playing.player.misses(), [])
})

for (const name of ['token', 'explorer', 'cosmos', 'wallet']) {
  test(`the client ${name} sees in playback what it saw of the real node`, plays, name, [name])
}
test('three clients at once see in playback what they saw of the real node', plays, 'mixed', [
  'cosmos',
  'token',
  'wallet',
])
