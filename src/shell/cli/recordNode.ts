/**
 * `chainstage record --comet URL --eth URL --ws URL`: what a program and a real node say to each
 * other.
 */
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SimError } from '../../errors.ts'
import { mergeLibraries } from '../../recording/folder/merge.ts'
import type { Library } from '../../recording/playback/library.ts'
import { runChild } from '../child.ts'
import { loadLibrary, logName, originNow, saveLibrary } from '../recordings/folderFiles.ts'
import { startProxy } from '../recordings/proxy.ts'
import { openSink, type Withheld } from '../recordings/sink.ts'
import { followTip } from '../recordings/tip.ts'
import { secretsOf, secretsOfEnvironment, urlOf, type Upstreams } from '../recordings/upstream.ts'
import { untilStopped } from './stop.ts'

/** Where the proxy listens; without an address, on any free port of loopback. */
export type Addresses = {
  readonly 'rpc.laddr'?: string
  readonly 'jsonRpc.address'?: string
  readonly 'jsonRpc.wsAddress'?: string
}

export type NodeOptions = Addresses & {
  readonly comet?: string
  readonly eth?: string
  readonly ws?: string
  readonly level: string
  readonly poll: string
  readonly saveOnFailure?: boolean
  readonly allowWrites?: boolean
}

/** `keep`: what stood in the recording and was not asked again stays in it. */
export type RecordNode = NodeOptions & {
  readonly out?: string
  readonly json?: boolean
  readonly words: readonly string[]
  readonly keep?: boolean
}

/** Returns whether flags name a real node. */
export function isOfNode({ comet, eth, ws }: NodeOptions): boolean {
  return (comet ?? eth ?? ws) !== undefined
}

/**
 * Resolves with the exit code when the program has ended, or at Ctrl-C without one: 1 when
 * something was withheld because a secret stood in it.
 */
export async function recordNode(given: RecordNode): Promise<number> {
  const { out = 'snapshots/recording', json: isJson = false, words, level, poll } = given
  if (level !== 'calls' && level !== 'blocks') throw new BadLevel(level)
  const upstreams: Upstreams = {
    comet: urlOf('comet', given.comet), eth: urlOf('eth', given.eth), ethWs: urlOf('ws', given.ws),
  }
  const say = (text: string) => process.stderr.write(`${text}\n`)
  const log = join(out, logName)
  const hadOne = await stat(join(out, 'manifest.json')).then(() => true, () => false)
  const sink = openSink(log, [...secretsOf(upstreams), ...secretsOfEnvironment(process.env)])
  const proxy = await startProxy({
    upstreams, note: sink.note, log: say, mayWrite: given.allowWrites === true,
    where: {
      comet: given['rpc.laddr'] ?? '127.0.0.1:0', eth: given['jsonRpc.address'] ?? '127.0.0.1:0',
      ethWs: given['jsonRpc.wsAddress'],
    },
  })
  const tip =
    followTip({ upstreams, everyMs: Number(poll), level, nowMs: proxy.nowMs, note: sink.note })
  const stopped = untilStopped()
  if (words.length === 0) process.stdout.write(
    `${isJson ? JSON.stringify({ urls: proxy.urls }) : listeningTo(proxy.urls)}\n`
  )
  const code = words.length > 0 ? await runChild(words, proxy.urls) : await stopped.then(() => 0)
  await tip.stop()
  await proxy.close()
  const library = await withOld(sink.end(), given.keep === true && hadOne ? out : undefined)
  const withheld = sink.withheld()
  for (const one of withheld) say(withheldText(one))
  const isSaved = code === 0 || !hadOne || given.saveOnFailure === true
  if (isSaved) await saveLibrary(out, library, originNow(level === 'blocks' ? 1 : 0))
  else await rm(log, { force: true })
  const told = {
    out, exchanges: sink.count(), withheld: withheld.length, saved: isSaved, exitCode: code,
  }
  process.stdout.write(`${isJson ? JSON.stringify(told) : toldText(told)}\n`)
  return code === 0 && withheld.length > 0 ? 1 : code
}

/** What was asked again takes the place of what was recorded. */
async function withOld(library: Library, old: string | undefined): Promise<Library> {
  return old === undefined ? library : mergeLibraries(await loadLibrary(old), library, 'second')
}

function listeningTo({ comet, eth, ethWs }: { comet: string; eth: string; ethWs: string }): string {
  const lines = [
    ['CometBFT RPC', comet], ['JSON-RPC', eth], ['JSON-RPC WebSocket', ethWs],
  ].filter(([, url]) => url !== '')
  return [
    'Recording; Ctrl-C ends it and writes the folder.',
    ...lines.map(([what, url]) => `  ${what}: ${url}`),
  ].join('\n')
}

function withheldText({ n, rule, where }: Withheld): string {
  return `exchange ${n} was not written: ${rule} (${where}). Take the secret out of what the program sends, or record without that call.`
}

function toldText({ out, exchanges, withheld, saved, exitCode }: {
  out: string; exchanges: number; withheld: number; saved: boolean; exitCode: number
}): string {
  if (
    !saved
  ) return `${out}: the program failed (${exitCode}), so that the recording there stays; --save-on-failure writes over it`
  return `${out}: ${exchanges} exchanges${withheld === 0 ? '' : `, ${withheld} withheld`}`
}

/** A level of capture that there is not. */
export class BadLevel extends SimError {
  constructor(received: string) {
    super('BAD_SETTING', `--level is calls, blocks or fork, received ${received}`)
  }
}
