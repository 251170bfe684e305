import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { stopInstance } from '../../src/shell/instances.ts'
import { scratch } from '../helpers/cli.ts'

test.serial('a chain of another user is awaited until its process has ended', async (t) => {
  const folder = scratch()
  const log = join(folder, 'chain.log')
  const { kill } = process
  const { CHAINSTAGE_STATE: state } = process.env
  t.teardown(() => {
    process.kill = kill
    if (state === undefined) delete process.env['CHAINSTAGE_STATE']
    else process.env['CHAINSTAGE_STATE'] = state
  })
  process.env['CHAINSTAGE_STATE'] = folder
  let asked = 0
  // The system tells nothing of another user's process but that it is there.
  process.kill = () => {
    if (++asked < 3) throw Object.assign(new Error('EPERM'), { code: 'EPERM' })
    writeFileSync(`${log}.exit`, '7')
    throw Object.assign(new Error('ESRCH'), { code: 'ESRCH' })
  }
  const none = 'http://127.0.0.1:1'
  const urls = { comet: '', cometWs: '', eth: '', ethWs: '', rest: '', grpc: '', control: none, metrics: '' }
  t.is(await stopInstance({ pid: 12345, urls, listeners: [], scenario: '', log, height: 0 }), 7)
})
