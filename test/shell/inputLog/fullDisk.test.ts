import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { freePorts, main, scratch, startCli } from '../../helpers/cli.ts'
import { rpc } from '../../helpers/control.ts'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const words = (state: string) => ['start', '--state', state, '--profile', 'local', '--json', '--no-watch', ...freePorts]
const urlIn = (text: string) => (JSON.parse(text) as { urls: { eth: string } }).urls.eth
/** The shell limits the size of files as a full disk would. */
const onUnix = process.platform === 'win32' ? test.skip : test

onUnix('a disk that takes no more ends the node with exit code 7, and everything acknowledged is there', async (t) => {
  const state = join(scratch(), 'chain.state')
  const child = spawn('sh', ['-c', 'ulimit -f 200; exec "$@"', 'sh', process.execPath, main, ...words(state)])
  const ended = once(child, 'close')
  let [out, err] = ['', '']
  child.stderr.on('data', (part: Buffer) => (err += String(part)))
  child.stdout.on('data', (part: Buffer) => (out += String(part)))
  while (!/\{"chainstage".*\}\n/.test(out)) await once(child.stdout, 'data')
  const acknowledged: unknown[] = []
  const transaction = { from: alice, to: alice, gas: '0x100000', data: `0x${'00'.repeat(4000)}` }
  try {
    for (;;) acknowledged.push(await rpc(urlIn(out), 'eth_sendTransaction', transaction))
  } catch {
    // It has ended.
  }
  t.deepEqual(await ended, [7, null])
  t.regex(err, /CANNOT_WRITE: cannot write .*chain\.state\.log: .*\n.*Choose another path/)
  t.true(acknowledged.length > 2, `${acknowledged.length} were acknowledged`)
  const again = startCli(words(state))
  const url = urlIn((await again.says(/\{"chainstage".*\}/))[0])
  for (const hash of acknowledged) t.like(await rpc(url, 'eth_getTransactionReceipt', hash), { status: '0x1' })
  again.process.kill('SIGTERM')
  t.is((await again.ended).code, 0)
})

test('record appends while it runs: what a killed one has recorded replays, and a second one is refused', async (t) => {
  const out = join(scratch(), 'run.jsonl')
  const record = ['record', '--serve', '--out', out, '--json', '--profile', 'local', ...freePorts]
  const recorder = startCli(record)
  const url = (JSON.parse((await recorder.says(/\{"comet".*\}/))[0]) as { eth: string }).eth
  for (let turn = 0; turn < 3; turn++) await rpc(url, 'evm_mine')
  const second = await startCli(record).ended
  t.is(second.code, 7)
  t.regex(second.err, /^IN_USE: cannot write .*run\.jsonl: process \d+ writes there/)
  recorder.process.kill('SIGKILL')
  await recorder.ended
  t.is(readFileSync(out, 'utf8').match(/evm_mine/g)?.length, 3)
  const replayed = await startCli(['replay', out]).ended
  t.is(replayed.code, 0, replayed.out + replayed.err)
})
