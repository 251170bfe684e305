/** Folders of recordings that are saved again. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { importTap } from '../../../src/recording/playback/importTap.ts'
import { cometNames } from '../../../src/shell/playback.ts'
import { loadLibrary, originNow, readFiles, saveLibrary } from '../../../src/shell/recordings/folderFiles.ts'
import { scratch } from '../../helpers/cli.ts'

const traffic = (lines: readonly object[]) =>
  importTap([{ format: 'tap/1' }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''), cometNames)

const line = { t: 1, kind: 'http', conn: 1, status: 200, ms: 1 }
const eth = {
  ...line,
  n: 1,
  iface: 'b',
  method: 'POST',
  path: '/',
  req: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
  res: '{"jsonrpc":"2.0","id":1,"result":"0x1"}',
}
const rest = {
  ...line,
  n: 2,
  iface: 'c',
  method: 'GET',
  path: '/cosmos/base/tendermint/v1beta1/node_info',
  res: JSON.stringify({ default_node_info: { moniker: 'm'.repeat(10_000) } }),
}
const grpc = {
  ...line,
  n: 3,
  iface: 'g',
  method: 'POST',
  path: '/cosmos.base.tendermint.v1beta1.Service/GetNodeInfo',
  status: 0,
  req: '',
  res: Buffer.alloc(10_000).toString('base64'),
}

test('a recording of REST and gRPC that is saved again keeps no answer of the old one', async (t) => {
  const folder = join(scratch(), 'again')
  await saveLibrary(folder, traffic([eth, rest, grpc]), originNow())
  const before = [...(await readFiles(folder)).keys()].map((path) => path.split('/')[0])
  t.true(
    ['rest', 'grpc', 'blobs'].every((one) => before.includes(one)),
    before.join(' '),
  )
  mkdirSync(join(folder, 'notes'))
  writeFileSync(join(folder, 'notes/mine.json'), '{}')
  const next = traffic([eth])
  await saveLibrary(folder, next, originNow())
  t.deepEqual([...(await loadLibrary(folder)).answers.keys()], [...next.answers.keys()])
  t.true((await readFiles(folder)).has('notes/mine.json'))
})
