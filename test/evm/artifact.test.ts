import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'

const root = new URL('../../../', import.meta.url)
const recorded: { sources: string; wasm: string } = JSON.parse(readFileSync(new URL('src/evm/evm.json', root), 'utf8'))
const binary = readFileSync(new URL('src/evm/evm.wasm', root))

test('the engine was built from the sources that lie beside it', (t) => {
  const script = fileURLToPath(new URL('scripts/buildEvm.mjs', root))
  const digest = execFileSync(process.execPath, [script, '--digest'], { encoding: 'utf8' }).trim()
  t.is(recorded.sources, digest, 'src/evm/engine has changed: run npm run build:evm')
})

test('the recorded digest is that of the committed binary', (t) => {
  t.is(recorded.wasm, createHash('sha256').update(binary).digest('hex'))
})

test('the binary names no directory of the machine that built it and no registry', (t) => {
  const text = binary.toString('latin1')
  const folders = ['home', 'root', 'usr', 'tmp', 'work'].map((name) => `/${name}/`)
  const words = [...folders, '.cargo', 'index.crates', 'registry/']
  t.deepEqual(
    words.filter((word) => text.includes(word)),
    [],
  )
})
