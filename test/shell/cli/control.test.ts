/** The commands that speak to a chain that runs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { closeSync, existsSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { cli, freePorts, main, scratch, startCli } from '../../helpers/cli.ts'
import { rpc, startControlled } from '../../helpers/control.ts'
import { eventually } from '../../helpers/server.ts'

test.serial('what a command asks of a running chain happens, and is told in words or as JSON', async (t) => {
  await using server = await startControlled()
  const { eth, control } = server.urls
  const says = async (words: readonly string[], out: RegExp) => {
    const done = await cli([...words, '--url', control])
    t.is(done.code, 0, done.err)
    t.regex(done.out, out)
    return done.out.trim()
  }
  await says(['mine', '3', '--interval', '5s'], /^height 4\n$/)
  await says(['status'], /height +4 .*\n[^]*scenario +none: passed/)
  const { height } = JSON.parse(await says(['status', '--json'], /^\{.*\}\n$/)) as {
    height: number
  }
  t.is(height, 4)
  const id = await says(['checkpoint'], /^\S+\n$/)
  await says(['time', '1h', '--mine'], /from block 5 on/)
  await says(['restore', id], /back at height 4/)
  t.is(await rpc(eth, 'eth_blockNumber'), '0x4')
  await says(['faucet', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '1.5'], /^\S+ has 10001\.5 tokens\n$/)
  await says(['signal', 'go'], /signal sent; the scenario is passed/)
  const rule = join(scratch(), 'rule.json5')
  writeFileSync(rule, "{ match: { method: 'eth_gasPrice' }, effect: { latency: '1ms' } }")
  await says(['faults'], /^none/)
  await says(['faults', 'on', 'slow', '--rule', rule, '--for', '1h'], /^slow is on/)
  await rpc(eth, 'eth_gasPrice')
  await says(['faults'], /^on +slow +matched 1, applied 1, ends in 3[56]\d\d s\n/)
  await says(['faults', 'off', 'slow', '--json'], /^\{"cleared":\["slow"\]\}/)
  await says(['mine', '--session', 'nobody'].slice(0, 1), /^height 5/)
  const { host } = new URL(control)
  for (const given of [
    ['checkpoint', '--url', control, 'list', '--json'],
    ['checkpoint', 'list', '--url', control, '--json'],
    ['checkpoint', '--url', 'http://127.0.0.1:9', '--json', 'list', '--url', control],
  ]) {
    const { code, out, err } = await cli(given)
    t.deepEqual([code, out.trim()], [0, '[]'], err)
  }
  const elsewhere = { CHAINSTAGE_CONTROL_URL: 'http://127.0.0.1:9' }
  t.is((await cli(['mine', '--control', host], elsewhere)).out, 'height 6\n')
  t.is((await cli(['mine'], { CHAINSTAGE_CONTROL: host })).out, 'height 7\n')
  t.is((await cli(['mine', '--control', control], elsewhere)).out, 'height 8\n')
  t.is((await cli(['mine'], { CHAINSTAGE_CONTROL: control })).out, 'height 9\n')
})

const fails = test.macro(async (t, words: readonly string[], code: number, err: RegExp) => {
  await using server = await startControlled()
  const done = await cli([...words, '--url', server.urls.control])
  t.is(done.code, code, done.out + done.err)
  t.regex(done.err, err)
  t.is(server.simulation().node.chain.height, 1n)
})
test.serial(
  'a checkpoint that is not there',
  fails,
  ['restore', '0x77'],
  1,
  /ACTION_REFUSED: there is no checkpoint 0x77/,
)
test.serial(
  'more blocks than a number may have',
  fails,
  ['mine', '9999999999'],
  2,
  /a whole number of at most 9 digits/,
)
test.serial('blocks that are no number', fails, ['mine', 'many'], 2, /expected a whole number, received "many"/)
test.serial('a refused value hints at the help', fails, ['mine', '0'], 2, /\nchainstage mine --help lists its argument/)
test.serial(
  'so does one of a subcommand',
  fails,
  ['faults', 'on', 'x', '--for', '?'],
  2,
  /\nchainstage faults on --help/,
)
test.serial('a duration without its unit', fails, ['time', '5'], 2, /by: expected a duration like 1h30m/)
test.serial('an interval that is none', fails, ['mine', '--interval', 'banana'], 2, /interval: .*received "banana"/)
test.serial('a time of a fault that is none', fails, ['faults', 'on', 'x', '--for', 'banana'], 2, /for: .*"banana"/)
test.serial('no blocks', fails, ['mine', '0'], 2, /blocks: expected a whole number of blocks from 1 to 1000000/)
test.serial(
  'a session that is not there',
  fails,
  ['mine', '--session', 'nobody'],
  1,
  /there is no session nobody\nSend a request to \/s\/nobody of a chain port/,
)
test.serial(
  'a flag of a command below another',
  fails,
  ['faults', 'on', 'x', '--fro', '5s'],
  2,
  /unknown option '--fro'/,
)

const advises = test.macro({
  title: (_title, words: readonly string[], advice: string) =>
    `chainstage ${words.join(' ')} is answered with: ${advice}`,
  exec: async (t, words: readonly string[], advice: string) => {
    const done = await cli(words)
    t.is(done.code, 2)
    t.is(done.err.trimEnd().split('\n').at(-1), advice)
  },
})
test.serial(advises, ['status', '--foo'], 'chainstage status --help lists its arguments and flags.')
test.serial(advises, ['reload', 'x'], 'chainstage reload --help lists its arguments and flags.')
test.serial(
  advises,
  ['checkpoint', 'save', '--foo'],
  'chainstage checkpoint save --help lists its arguments and flags.',
)
test.serial(advises, ['reload', '--udno'], 'Did you mean --undo?')

test.serial('start --detach says that its folder cannot be written', async (t) => {
  const file = join(scratch(), 'a file')
  writeFileSync(file, '')
  const done = await cli(['start', '--detach', ...freePorts], { CHAINSTAGE_STATE: file })
  t.is(done.code, 7, done.err)
  t.regex(done.err, /^CANNOT_WRITE: cannot write .*a file[^]*CHAINSTAGE_STATE/)
})

test.serial('a reader that goes away ends nothing and is told nothing', async (t) => {
  const started = startCli(['methods', '--json'])
  started.process.stdout?.destroy()
  const { code, err } = await started.ended
  t.deepEqual([code, err], [0, ''])
})

test.serial('output that a full disk does not take is a failure', async (t) => {
  if (!existsSync('/dev/full')) {
    t.pass()
    return
  }
  const file = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [main, 'methods'], { stdio: ['ignore', file, 'pipe'] })
  closeSync(file)
  const err = child.stderr?.setEncoding('utf8').toArray()
  const [code] = (await once(child, 'close')) as [number]
  t.is(code, 1)
  t.regex(((await err) ?? []).join(''), /^cannot write to stdout: ENOSPC/)
})

test.serial('no chain at the address', async (t) => {
  const done = await cli(['mine', '--url', 'http://127.0.0.1:9'])
  t.is(done.code, 1)
  t.regex(done.err, /no chain answers at http:\/\/127\.0\.0\.1:9\n.*chainstage start.*--control HOST:PORT/s)
})

test.serial('a detached chain serves on, is listed, and is stopped', async (t) => {
  const environment = { CHAINSTAGE_STATE: scratch() }
  const started = await cli(['start', '--detach', '--json', '--seed', 'detached', ...freePorts], environment)
  t.is(started.code, 0, started.err)
  const { pid, urls } = JSON.parse(started.out) as { pid: number; urls: { eth: string } }
  t.teardown(() => {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      /* it has ended */
    }
  })
  t.is(await rpc(urls.eth, 'eth_blockNumber'), '0x1')
  t.like(JSON.parse((await cli(['instances', '--json'], environment)).out) as object[], [{ pid, height: 1 }])
  const other = await cli(['instances', 'stop', 'first'], environment)
  t.is(other.code, 2)
  t.regex(other.err, /expected a whole number, received "first"/)
  const absent = await cli(['instances', 'stop', '999999999'], environment)
  t.is(absent.code, 1)
  t.regex(absent.err, /no chain in the background with the process id 999999999/)
  t.regex((await cli(['instances', 'stop', String(pid)], environment)).out, new RegExp(`stopped: ${pid}`))
  await t.throwsAsync(rpc(urls.eth, 'eth_blockNumber'))
  t.regex((await cli(['instances', 'list'], environment)).out, /^none/)
  const refused = await cli(['start', '--detach', '--evm.evm-chain-id', 'x', ...freePorts], environment)
  t.is(refused.code, 2, 'the exit code of the detached process')
  t.regex(refused.err, /expected a number, received "x"/)
  t.notRegex(refused.err, /Start without --detach/, 'the error is there already')
  const files = readdirSync(join(environment.CHAINSTAGE_STATE, 'instances'))
  t.deepEqual(files.length, 1, `only the log of the chain that served: ${files.join(', ')}`)
})

test.serial('a chain whose start in the background is interrupted ends with it', async (t) => {
  const state = scratch()
  const folder = join(state, 'instances')
  const started = startCli(['start', '--detach', ...freePorts], { CHAINSTAGE_STATE: state })
  await eventually(() => existsSync(folder) && readdirSync(folder).length > 0)
  started.process.kill('SIGINT')
  const { code, err } = await started.ended
  t.is(code, 130, err)
  t.regex(err, /^NOT_DETACHED: SIGINT ended the chain before it was ready\n/)
  t.deepEqual(readdirSync(folder), [])
})

test.serial('a detached chain may be silent, but not without a control port', async (t) => {
  const environment = { CHAINSTAGE_STATE: scratch() }
  const refused = await cli(['start', '--detach', ...freePorts, '--control', ''], environment)
  t.is(refused.code, 2)
  t.regex(refused.err, /^CONTRADICTION: expected a control port beside --detach, received none/)
  const started = await cli(['start', '--detach', '--silent', ...freePorts], environment)
  t.deepEqual(started, { code: 0, out: '', err: '' })
  t.regex((await cli(['instances', 'stop'], environment)).out, /^stopped: \d+\n$/)
})

test.serial('schemas and completions are made from the declarations', async (t) => {
  const schema = JSON.parse((await cli(['schema'])).out) as { properties: Record<string, unknown> }
  t.true(['chain', 'faults', 'steps'].every((name) => name in schema.properties))
  const api = JSON.parse((await cli(['schema', 'control'])).out) as { path: string }[]
  t.true(api.some(({ path }) => path === '/api/mine'))
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { out, code } = await cli(['completions', shell])
    t.is(code, 0)
    t.true(
      ['faults', 'replay', 'json-rpc.address'].every((word) => out.includes(word)),
      shell,
    )
  }
})

test('a command whose connection the chain closes says so, also if it closes at once', async (t) => {
  const servers = [false, true].map((isRead) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      if (isRead) socket.once('data', () => socket.destroy())
      else socket.destroy()
    })
    t.teardown(() => server.close())
    return server.listen(0, '127.0.0.1')
  })
  for (const server of servers) {
    if (!server.listening) await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { code, err } = await cli(['reload', '--control', `127.0.0.1:${port}`])
    t.is(code, 1)
    t.regex(err, /^CUT_OFF: expected a response from the chain at \S+, but it closed the connection\n/)
  }
})

test('a reload whose connection a restart closes is asked again, but no undo is', async (t) => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    const isFirst = connections === 1
    const body = '{"change":"none","generation":2,"notes":[]}'
    socket.on('error', () => {})
    socket.once('data', () =>
      isFirst
        ? socket.destroy()
        : socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`),
    )
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const control = `127.0.0.1:${(server.address() as AddressInfo).port}`
  t.is((await cli(['reload', '--control', control])).out, 'nothing has changed; generation 2\n')
  t.is(connections, 2)
  connections = 0
  t.regex((await cli(['reload', '--undo', '--control', control])).err, /^CUT_OFF/)
  t.is(connections, 1)
})
