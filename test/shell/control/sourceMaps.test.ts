/** From program counters to lines, in the files of Hardhat and Foundry. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { createAbis, contractOfCode } from '../../../src/shell/control/abis.ts'
import { sourcesIn } from '../../../src/shell/control/compilerFiles.ts'
import { instructionsOf, placesOf, readSourceMap } from '../../../src/shell/control/sourceMaps.ts'
import { failureOf } from '../../../src/shell/control/stepViews.ts'
import { artifactFolders } from '../../../src/shell/artifactFolders.ts'
import { sourceFolders } from '../../../src/shell/sourceFolders.ts'
import { scratch } from '../../helpers/cli.ts'

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))

/** PUSH1 0x60, PUSH2 0x5b5b, ADD, STOP: the bytes of PUSH are data, also where they look like opcodes. */
const code = '6060615b5b0100'
const deployedBytecode = {
  object: `0x${code}`,
  sourceMap: '0:5:0;6:3;;12:1:0:o',
  immutableReferences: { 7: [{ start: 3, length: 2 }] },
}
/** The fourth byte is the second half of ü. */
const text = 'a\nü\nfirst\nsecond'

test('a source map repeats the members that an entry leaves out', (t) => {
  t.deepEqual(readSourceMap('12:5:0;;:9:1;4'), [
    { start: 12, fileId: 0 },
    { start: 12, fileId: 0 },
    { start: 12, fileId: 1 },
    { start: 4, fileId: 1 },
  ])
})

test('the data of a push is part of its instruction', (t) => {
  t.deepEqual([...instructionsOf(bytes(code)).keys()], [0, 2, 5, 6])
})

test('build-info of Hardhat names the line of each instruction; immutables may differ', (t) => {
  const info = {
    input: { sources: { 'a.sol': { content: text } } },
    output: {
      sources: { 'a.sol': { id: 0 } },
      contracts: { 'a.sol': { A: { evm: { deployedBytecode } } } },
    },
  }
  const { input, output } = info
  const split = [
    ['one.json', { id: 'one', input }],
    ['one.output.json', { id: 'one', output }],
  ] as const
  for (const files of [[['both.json', info]] as const, split]) {
    const buildInfos = new Map(files.map(([path, one]) => [path, JSON.stringify(one)]))
    const sources = sourcesIn({ buildInfos, artifacts: new Map(), readSource: () => undefined })
    const places = placesOf(sources, bytes('60606111220100'))
    t.deepEqual(
      [0, 1, 2, 5, 6].map((pc) => places?.(pc)?.line),
      [1, undefined, 3, 3, 4],
    )
    t.is(placesOf(sources, bytes('60616111220100')), undefined)
    t.is(placesOf(sources, bytes('6060')), undefined)
  }
})

test('artifacts of Foundry are joined with the sources beside them, and no file outside is read', (t) => {
  const project = scratch()
  const out = join(project, 'out')
  mkdirSync(join(out, 'A.sol'), { recursive: true })
  mkdirSync(join(project, 'src'))
  writeFileSync(join(project, 'src/A.sol'), text)
  const write = (file: string) => {
    const metadata = { settings: { compilationTarget: { [file]: 'A' } } }
    writeFileSync(join(out, 'A.sol/A.json'), JSON.stringify({ id: 0, abi: [], deployedBytecode, metadata }))
  }
  let nowMs = 0
  const read = () =>
    sourceFolders(
      [out],
      artifactFolders([out], () => nowMs),
      () => nowMs,
    )
  write('src/A.sol')
  t.deepEqual(placesOf(read()(), bytes(code))?.(6), { file: 'src/A.sol', line: 4 })
  nowMs = 60_000
  write('../../etc/A.sol')
  t.is(read()().textOf('../../etc/A.sol'), undefined)
})

test('a failure is found in the innermost call that passed it on, not in one that was caught', (t) => {
  const at = (depth: number, op: string) => ({ pc: 0, op, gas: 1, gasCost: 1, depth })
  const caught = [at(1, 'CALL'), at(2, 'REVERT'), at(1, 'CALL'), at(2, 'STOP'), at(1, 'REVERT')]
  const passed = [at(1, 'CALL'), at(2, 'CALL'), at(3, 'INVALID'), at(2, 'REVERT'), at(1, 'POP'), at(1, 'REVERT')]
  t.is(failureOf({ failed: true, structLogs: caught }), 4)
  t.is(failureOf({ failed: true, structLogs: passed }), 2)
  t.is(failureOf({ failed: false, structLogs: passed }), undefined)
})

test('a contract is known by its code where a compiler shortened a selector with leading zeros', (t) => {
  const abis = createAbis(() => new Map())
  // The selector of this name is 0x00000000.
  abis.add([
    { type: 'function', name: 'wycpnbqcyf', inputs: [], outputs: [], stateMutability: 'view', anonymous: false },
  ])
  abis.add([{ type: 'function', name: 'x', inputs: [], outputs: [], stateMutability: 'view', anonymous: false }])
  t.is(contractOfCode(abis.known(), bytes('5f14'))?.functions[0]?.name, 'wycpnbqcyf')
  t.is(contractOfCode(abis.known(), bytes('00')), undefined)
})
