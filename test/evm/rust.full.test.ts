/**
 * The engine's own tests and lints, where there is Rust with its crates; it is not needed
 * otherwise.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'

const cwd = fileURLToPath(new URL('../../../src/evm/engine', import.meta.url))
const own = process.env['CARGO_TARGET_DIR']
const target = own ?? mkdtempSync(join(tmpdir(), 'chainstage-rust-'))
test.after.always(() => {
  if (own === undefined) rmSync(target, { recursive: true, force: true })
})

function cargo(...args: readonly string[]) {
  const env = { ...process.env, CARGO_TARGET_DIR: target }
  const { status, stderr, stdout } = spawnSync('cargo', args, { cwd, env, encoding: 'utf8' })
  return { status, text: `${stdout}${stderr}` }
}

const hasCrates = cargo('metadata', '--locked', '--offline', '--format-version', '1').status === 0
const only = (can: boolean) => (can ? test.serial : test.serial.skip)
const onlyWith = (tool: string) => only(hasCrates && cargo(tool, '--version').status === 0)

only(hasCrates)('the Rust half reads and writes every record as the vectors say', (t) => {
  t.timeout(1_200_000)
  const { status, text } = cargo('test', '--locked', '--offline')
  t.is(status, 0, text)
  t.regex(text, /test result: ok\. [1-9]/)
})

onlyWith('clippy')('clippy has nothing to say', (t) => {
  t.timeout(1_200_000)
  const all = ['--locked', '--offline', '--all-targets', '--', '-D', 'warnings']
  const { status, text } = cargo('clippy', ...all)
  t.is(status, 0, text)
})

onlyWith('fmt')('the sources are formatted', (t) => {
  const { status, text } = cargo('fmt', '--check')
  t.is(status, 0, text)
})
