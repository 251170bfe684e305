/** Keys of a real node's files that have no effect here are named, each of them, once. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { parse } from 'smol-toml'
import { appKeys } from '../../../src/settings/appKeys.ts'
import { cometKeys } from '../../../src/settings/cometKeys.ts'
import { keysOf, type FileName } from '../../../src/shell/config/fileKeys.ts'
import { scratch, startCli } from '../../helpers/cli.ts'

const warned = test.macro((t, file: FileName, text: string, ...expected: readonly RegExp[]) => {
  const { warnings } = keysOf(file, parse(text))
  t.is(warnings.length, expected.length, warnings.join('\n'))
  for (const [index, one] of expected.entries()) t.regex(warnings[index] ?? '', one)
})

test(
  'a key without effect',
  warned,
  'app.toml',
  '[tls]\ncertificate-path = "cert.pem"',
  /^app\.toml: tls\.certificate-path has no effect: .*TLS proxy.* Remove it to silence/,
)
test(
  'keys without effect for one reason share a warning',
  warned,
  'config.toml',
  '[p2p]\nseeds = "a"\npex = true\npersistent_peers = "b"',
  /^config\.toml: p2p\.seeds, p2p\.persistent_peers have no effect: .*--peers N.* Remove them/,
)
test(
  'keys of a section below a section',
  warned,
  'app.toml',
  '[evm.mempool]\nlifetime = "4h"',
  /evm\.mempool\.lifetime has no effect: .*mempool\.max-txs/,
)
test(
  'a setting that has no effect',
  warned,
  'config.toml',
  '[consensus]\ntimeout_prevote = "9s"',
  /consensus\.timeout_prevote has no effect: .*never split/,
)
test(
  'a section of another program',
  warned,
  'app.toml',
  '[wasm]\nquery_gas_limit = 300000',
  /^app\.toml: \[wasm\] has no effect: neither .* nor chainstage/,
)
test('a section without keys', warned, 'app.toml', '[streaming]\n[json-rpc]\n[evm]')
test('keys that have an effect', warned, 'config.toml', '[rpc]\nunsafe = true\n[p2p]\npex = false')

test(
  'keys that hold what a node writes share one warning, whatever their reasons, and a changed one has its own',
  warned,
  'app.toml',
  'halt-height = 0\nindex-events = []\n[tls]\nkey-path = ""\n[telemetry]\nglobal-labels = [["a", "b"]]',
  /^app\.toml: telemetry\.global-labels has no effect: /,
  /^app\.toml: these keys have the values that a node writes, and no effect: halt-height, index-events, tls\.key-path\.$/,
)
test(
  'a setting without effect that has its usual value',
  warned,
  'config.toml',
  '[consensus]\ntimeout_prevote = "1s"',
  /^config\.toml: these keys have the values that a node writes, and no effect: consensus\.timeout_prevote\.$/,
)

test('every key of a real node is a setting or named in a warning, also with the value that a node writes', (t) => {
  for (const [file, all] of [
    ['app.toml', appKeys],
    ['config.toml', cometKeys],
  ] as const) {
    for (const { section, keys } of all) {
      for (const [key, values] of Object.entries(keys)) {
        const path = section === '' ? key : `${section}.${key}`
        for (const value of [values].flat()) {
          const { settings, warnings } = keysOf(file, treeOf(path, value))
          const isNamed =
            warnings[0] === `${file}: these keys have the values that a node writes, and no effect: ${path}.`
          t.true(settings.length === 1 || isNamed, path)
        }
        const { settings, warnings } = keysOf(file, treeOf(path, 'changed'))
        t.true(settings.length === 1 || warnings[0]?.startsWith(`${file}: ${path} has no effect: `), path)
      }
    }
  }
})

/** The parsed file that has one key. */
function treeOf(path: string, given: unknown): Record<string, unknown> {
  return path.split('.').reduceRight<unknown>((value, part) => ({ [part]: value }), given) as Record<string, unknown>
}

test('a running chain warns on stderr, and a typo keeps it from starting', async (t) => {
  const home = scratch()
  mkdirSync(join(home, 'config'))
  const scenario = join(home, 'empty.json5')
  writeFileSync(scenario, '{ chainstage: 1, name: "empty", steps: [] }')
  writeFileSync(join(home, 'config', 'app.toml'), '[tls]\nkey-path = "key.pem"\n')
  const ran = await startCli(['run', scenario, '--home', home]).ended
  t.is(ran.code, 0, ran.err)
  t.regex(ran.err, /warn +app\.toml: tls\.key-path has no effect: /)
  writeFileSync(join(home, 'config', 'app.toml'), '[tls]\nkey-paht = "key.pem"\n')
  const refused = await startCli(['run', scenario, '--home', home]).ended
  t.is(refused.code, 2)
  t.regex(refused.err, /app\.toml: unknown setting tls\.key-paht\n.*Did you mean tls\.key-path\?/)
  rmSync(home, { recursive: true })
})
