/** A recorder whose disk is full serves on, says so once, and fails at its end. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import test from 'ava'
import { WebSocket } from 'ws'
import { startProxy } from '../../../src/shell/recordings/proxy.ts'
import { openSink } from '../../../src/shell/recordings/sink.ts'
import { followTip } from '../../../src/shell/recordings/tip.ts'
import { main, scratch } from '../../helpers/cli.ts'
import { createMemoryDisk } from '../../helpers/memoryDisk.ts'
import { drawFrom } from '../../helpers/randomTx.ts'
import { eventually, startLocal } from '../../helpers/server.ts'

const call = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
const answer = '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}\n'
const headers = { 'content-type': 'application/json' }
/** The shell limits the size of files as a full disk would. */
const onUnix = process.platform === 'win32' ? test.skip : test

test('a full disk stops the recording, and clients still get the responses of the node', async (t) => {
  await using server = await startLocal()
  const disk = createMemoryDisk(drawFrom(1))
  const sink = openSink('/out/log.jsonl', [], disk)
  const upstreams = { comet: undefined, eth: new URL(server.urls.eth), ethWs: new URL(server.urls.ethWs) }
  const said: string[] = []
  const proxy = await startProxy({
    upstreams,
    where: { comet: '', eth: '127.0.0.1:0', ethWs: undefined },
    note: sink.note,
    log: (text) => said.push(text),
  })
  const ask = async () => (await fetch(proxy.urls.eth, { method: 'POST', headers, body: call })).text()
  t.is(await ask(), answer)
  const count = sink.count()
  disk.fail({ capacity: 10 })
  const tip = followTip({ upstreams, everyMs: 10, level: 'blocks', nowMs: proxy.nowMs, note: sink.note })
  await eventually(() => sink.failed.aborted)
  t.is(await ask(), answer)
  const socket = new WebSocket(proxy.urls.ethWs)
  await once(socket, 'open')
  socket.send(call)
  const [data] = (await once(socket, 'message')) as [Buffer]
  t.is(`${data.toString('utf8').trim()}\n`, answer)
  server.mine(1)
  await tip.stop()
  await proxy.close()
  t.deepEqual(said, [])
  t.is(sink.count(), count)
  t.throws(sink.end, { code: 'CANNOT_WRITE', message: /ENOSPC/ })
  t.is(disk.handles(), 0)
})

onUnix('chainstage record says once that it cannot write, and ends with the code for that', async (t) => {
  await using server = await startLocal()
  const program = `
    const body = '${call}', headers = { 'content-type': 'application/json' }
    for (let count = 0; count < 20; count++) {
      const answer = await fetch(process.env.CHAINSTAGE_ETH_URL, { method: 'POST', headers, body })
      if (answer.status !== 200) process.exit(9)
      await answer.text()
    }`
  const words = ['record', '--eth', server.urls.eth, '--out', join(scratch(), 'full'), '--', process.execPath]
  const limited = ['-c', 'ulimit -f 2; exec "$@"', 'sh', process.execPath, main, ...words]
  const child = spawn('sh', [...limited, '--input-type=module', '-e', program])
  let err = ''
  child.stderr.on('data', (part: Buffer) => (err += part.toString('utf8')))
  const [code] = (await once(child, 'close')) as [number]
  t.is(code, 7, err)
  t.is(err.match(/Nothing more is recorded/g)?.length, 1, err)
})
