/**
 * The steps of the Dockerfile, done in folders in place of stages. There is no builder here: what
 * is installed is linked from our modules by the lock file, and the user stays who runs the tests.
 */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import test from 'ava'
import { copyOf, environmentOf, stagesOf, textsOf, type Stage } from './helpers/dockerfile.ts'
import { linkPackages, neededPackages, root } from './helpers/packed.ts'

const stages = stagesOf(readFileSync(join(root, 'Dockerfile'), 'utf8'))
const last = stages.at(-1) as Stage
const top = realpathSync(mkdtempSync(join(tmpdir(), 'chainstage-container-')))
const folderOf = (stage: string) => join(top, stage === '' ? 'last' : stage)
/** An address of this machine that others may reach. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address

test.after.always(() => {
  rmSync(top, { recursive: true, force: true })
})

/** Does the steps of a stage below its folder; returns the directory it ends in. */
function build(stage: Stage): string {
  const below = folderOf(stage.name)
  let here = below
  mkdirSync(join(below, 'usr/local/bin'), { recursive: true })
  for (const { word, text } of stage.instructions) {
    if (word === 'WORKDIR') {
      here = join(below, text)
      mkdirSync(here, { recursive: true })
    }
    if (word === 'COPY') copy(text, here)
    if (word === 'RUN') carryOut(text, { below, here })
  }
  return here
}

function copy(text: string, here: string): void {
  const { from, sources, to } = copyOf(text)
  for (const source of sources) {
    const path = join(from === undefined ? root : folderOf(from), source)
    const isInto = to.endsWith('/') || to === '.'
    cpSync(path, isInto ? join(here, to, basename(source)) : join(here, to), { recursive: true })
  }
}

function carryOut(command: string, { below, here }: { below: string; here: string }): void {
  const install = /^npm ci( --omit=dev)?(?: --ignore-scripts)?$/.exec(command)
  if (install !== null)
    return linkPackages(join(here, 'node_modules'), install[1] === undefined ? all() : neededPackages())
  const placed = command.replace(/ chown \S+/, ' test -d').replace(/ (\/(?:opt|usr|chain)\b)/g, ` ${below}$1`)
  execFileSync('sh', ['-c', placed], { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Packages at the top of ours. */
function all(): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>
  }
  const names = Object.keys(packages).flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1] ?? [])
  return [
    ...names.filter((name) => statSync(join(root, 'node_modules', name), { throwIfNoEntry: false }) !== undefined),
    '.bin',
  ]
}

const wordsOf = (text: string) => JSON.parse(text) as [string, ...string[]]

test.serial(
  'the container builds, starts as it is told, and is reached from outside but for its control port',
  async (t) => {
    for (const stage of stages.slice(0, -1)) build(stage)
    const here = build(last)
    const [[program], command] = [
      wordsOf(textsOf(last, 'ENTRYPOINT')[0] ?? '[]'),
      wordsOf(textsOf(last, 'CMD')[0] ?? '[]'),
    ]
    const free = Object.fromEntries(
      Object.entries(environmentOf(last)).map(([name, value]) => [name, value.replace(/:\d+$/, ':0')]),
    )
    const child = spawn(join(folderOf(''), 'usr/local/bin', program), command, {
      cwd: here,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        HOME: here,
        NO_COLOR: '1',
        ...free,
        CHAINSTAGE_CONTROL: '127.0.0.1:0',
      },
    })
    t.teardown(() => {
      child.kill()
    })
    let said = ''
    child.stdout.on('data', (part: Buffer) => {
      said += String(part)
    })
    while (!said.includes('over WebSocket') && child.exitCode === null) {
      await new Promise((done) => {
        setTimeout(done, 50)
      })
    }
    const [comet = '', eth = ''] = [...said.matchAll(/^Listening on \w+:\/\/127\.0\.0\.1:(\d+)/gm)].map(
      ([, port = '']) => port,
    )
    const control = /dashboard\D*127\.0\.0\.1:(\d+)/i.exec(said)?.[1] ?? ''
    const host = outside ?? '127.0.0.1'
    t.is((await fetch(`http://${host}:${comet}/health`)).status, 200)
    const asked = await fetch(`http://${host}:${eth}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
    })
    t.is(((await asked.json()) as { result: string }).result, '0x7a69')
    t.is((await fetch(`http://127.0.0.1:${control}/api/status`)).status, 200)
    if (outside !== undefined) await t.throwsAsync(fetch(`http://${outside}:${control}/api/status`))
    else t.log('this machine has no address but loopback')
    const [check = '', ...words] = wordsOf((textsOf(last, 'HEALTHCHECK')[0] ?? '').replace(/^.* CMD /, ''))
    t.notThrows(() =>
      execFileSync(
        check,
        words.map((word) => word.replace(':26657', `:${comet}`)),
      ),
    )
    t.throws(() =>
      execFileSync(
        check,
        words.map((word) => word.replace(':26657', ':1')),
      ),
    )
    const ended = new Promise((done) => {
      child.once('close', done)
    })
    child.kill('SIGTERM')
    t.is(await ended, 0)
  },
)
