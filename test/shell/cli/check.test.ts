import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { cli, scratch } from '../../helpers/cli.ts'

function three(): string {
  const folder = scratch()
  writeFileSync(join(folder, 'a.json5'), "{ chainstage: 1, name: 'a' }")
  writeFileSync(join(folder, 'b.json5'), "{ chainstage: 1,\n name: 'b', stepps: [], run: { timeout: '5' } }")
  writeFileSync(join(folder, 'c.json5'), '{ chainstage: 1')
  return folder
}

test.serial('every problem of every file is named, and the good ones too', async (t) => {
  const folder = three()
  const done = await cli(['check', join(folder, '*.json5')])
  t.is(done.code, 2)
  t.regex(done.out, /a\.json5: a: 0 steps/)
  t.regex(done.err, /b\.json5:2:13 {2}SC1010[^]*b\.json5:2:41 {2}SC1012[^]*c\.json5:1:16 {2}SC1000/)
})

test.serial('programs get a line of JSON a file', async (t) => {
  const done = await cli(['check', join(three(), '*.json5'), '--json'])
  const lines = done.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { name?: string; problems?: { code: string; line: number }[] })
  t.deepEqual(
    lines.map(({ name, problems }) => name ?? problems?.map(({ code, line }) => `${code}:${line}`)),
    ['a', ['SC1010:2', 'SC1012:2'], ['SC1000:1']],
  )
})

test.serial('pull requests get annotations', async (t) => {
  const done = await cli(['check', join(three(), '*.json5'), '--format', 'github'])
  t.regex(
    done.out,
    /^::error file=[^,]*b\.json5,line=2,col=13,title=SC1010::unknown key "stepps" \(Did you mean "steps"\?\)$/m,
  )
  t.is(done.out.trim().split('\n').length, 3)
})

test.serial('a file that is not there is a problem of its own', async (t) => {
  const done = await cli(['check', join(three(), 'a.json5'), 'nowhere.json5'])
  t.is(done.code, 2)
  t.regex(done.err, /nowhere\.json5: file not found/)
})

test.serial('imports and artifacts above the folder that it runs in are found', async (t) => {
  const folder = scratch()
  mkdirSync(join(folder, 'scenarios'))
  writeFileSync(
    join(folder, 'part.json5'),
    '{ faults: { f: { match: { method: "eth_call" }, effect: { hang: true } } } }',
  )
  writeFileSync(join(folder, 'C.json'), '{ "abi": [], "bytecode": "0x60016000f3" }')
  writeFileSync(
    join(folder, 'scenarios', 'x.json5'),
    `{ chainstage: 1, name: 'x', imports: ['../part.json5'],
    fixtures: { artifacts: { C: '../C.json' }, contracts: { c: { artifact: 'C' } } } }`,
  )
  const done = await cli(['check', 'x.json5'], {}, join(folder, 'scenarios'))
  t.is(done.code, 0, done.err)
  t.is(done.out, 'x.json5: x: 0 steps, 1 fault, 3 files\n')
})

test.serial('a file whose fixtures the chain refuses is refused by check and by run', async (t) => {
  const folder = scratch()
  const path = join(folder, 'poor.json5')
  writeFileSync(
    path,
    `{ chainstage: 1, name: 'poor', fixtures: { genesisTxs: [
    { sendTx: { from: '@account0', to: '@account1', value: '99999999999 evm' } }] }, steps: [] }`,
  )
  const [checked, ran] = await Promise.all([cli(['check', path]), cli(['run', path])])
  t.is(checked.code, 2)
  t.not(ran.code, 0)
  t.regex(checked.err, /poor\.json5: genesisTxs 0: .*insufficient funds/)
  t.regex(ran.err, /genesisTxs 0: .*insufficient funds/)
})

test.serial('methods that no interface serves are warned of if their names are misspelt', async (t) => {
  const folder = scratch()
  const effect = "effect: { latency: '1s' }"
  writeFileSync(
    join(folder, 'x.json5'),
    `{ chainstage: 1, name: 'x', faults: {
    slow: { match: { method: ['eth_getBalanc', 'eth_get*', 'debug_getBlok*'] }, ${effect} },
    foreign: { match: { method: ['eth_sendBundle', 'GET /health', 'eth_foo'] }, ${effect} } },
    steps: [{ when: { request: { method: 'eth_blokNumber' } },
      do: { fault: { inline: { match: { method: 'block_result' }, ${effect} }, as: 'late' } } }] }`,
  )
  const [text, json, github] = await Promise.all(
    ['text', 'json', 'github'].map((format) => cli(['check', 'x.json5', '--format', format], {}, folder)),
  )
  const unserved = (method: string, meant: string) =>
    `${method}, a method that no interface serves; did you mean ${meant}?`
  const warnings = [
    `the fault "slow" matches ${unserved('eth_getBalanc', 'eth_getBalance')}`,
    `the fault "late" matches ${unserved('block_result', 'block_results')}`,
    `the scenario counts calls of ${unserved('eth_blokNumber', 'eth_blockNumber')}`,
  ]
  t.is(text?.code, 0)
  t.is(text?.err, warnings.map((one) => `x.json5: warning: ${one}\n`).join(''))
  t.deepEqual((JSON.parse(json?.out ?? '') as { warnings: unknown }).warnings, warnings)
  t.is(github?.out, warnings.map((one) => `::warning file=x.json5,title=x::${one}\n`).join(''))
})
