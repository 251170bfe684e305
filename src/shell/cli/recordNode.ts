/**
 * `chainstage record --comet URL --eth URL --ws URL`: records the traffic between a program and a
 * real node.
 */
import { counted } from '../../data/counted.ts'
import { SimError } from '../../errors.ts'
import { mergeLibraries } from '../../recording/folder/merge.ts'
import type { Library } from '../../recording/playback/library.ts'
import { loadLibrary } from '../recordings/folderFiles.ts'
import { startProxy } from '../recordings/proxy.ts'
import type { Sink } from '../recordings/sink.ts'
import { followTip } from '../recordings/tip.ts'
import { grpcUrlOf, httpUrlOf, webSocketUrlOf, type Upstreams } from '../recordings/upstream.ts'
import { capture, type Between } from './capture.ts'
import { warn } from './say.ts'

/** Addresses of the proxy; by default, any free port of loopback. */
export type Addresses = {
  readonly 'rpc.laddr'?: string
  readonly 'jsonRpc.address'?: string
  readonly 'jsonRpc.wsAddress'?: string
  readonly 'api.address'?: string
  readonly 'grpc.address'?: string
}

export type NodeOptions = Addresses & {
  readonly comet?: string
  readonly eth?: string
  readonly ws?: string
  readonly rest?: string
  readonly grpc?: string
  readonly level: string
  readonly poll: string
  readonly saveOnFailure?: boolean
  readonly allowWrites?: boolean
}

/** With `keep`, exchanges of the existing recording stay in it unless they were recorded again. */
export type RecordNode = NodeOptions & {
  readonly out?: string
  readonly json?: boolean
  readonly words: readonly string[]
  readonly keep?: boolean
}

/** Returns whether any flag gives the URL of a real node. */
export function isOfNode({ comet, eth, ws, rest, grpc }: NodeOptions): boolean {
  return (comet ?? eth ?? ws ?? rest ?? grpc) !== undefined
}

/**
 * Resolves with the exit code when the program has ended or, without a program, at Ctrl-C. The code
 * is 1 if an exchange was withheld because it contains a secret.
 */
export async function recordNode(given: RecordNode): Promise<number> {
  const { out = 'snapshots/recording', json: isJson = false, words, level, poll } = given
  if (level !== 'calls' && level !== 'blocks') throw new BadLevel(level)
  const upstreams: Upstreams = {
    comet: httpUrlOf('comet', given.comet),
    eth: httpUrlOf('eth', given.eth),
    ethWs: webSocketUrlOf('ws', given.ws),
    rest: httpUrlOf('rest', given.rest),
    grpc: grpcUrlOf('grpc', given.grpc),
  }
  const serve = async (note: Sink['note']): Promise<Between> => {
    let isUnheard = false
    const unheard = (why?: string) => {
      if (!isUnheard && why !== undefined) warn(`the node did not tell its height: ${why}`)
      isUnheard = true
    }
    const proxy = await startProxy({
      upstreams,
      note,
      mayWrite: given.allowWrites === true,
      log: (text) => process.stderr.write(`${text}\n`),
      unheard: () => unheard(),
      where: {
        comet: given['rpc.laddr'] ?? '127.0.0.1:0',
        eth: given['jsonRpc.address'] ?? '127.0.0.1:0',
        ethWs: given['jsonRpc.wsAddress'],
        ...(given['api.address'] === undefined ? {} : { rest: given['api.address'] }),
        ...(given['grpc.address'] === undefined ? {} : { grpc: given['grpc.address'] }),
      },
    })
    const tip = followTip({ upstreams, everyMs: Number(poll), level, nowMs: proxy.nowMs, note, unheard })
    const close = async () => {
      await tip.stop()
      await proxy.close()
    }
    return {
      urls: proxy.urls,
      text: listeningTo(proxy.urls),
      close,
      isUnheard: () => isUnheard,
      summary: (exchanges, withheld) =>
        `${out}: ${counted(exchanges, 'exchange')}${withheld === 0 ? '' : `, ${withheld} withheld`}`,
    }
  }
  return capture({
    out,
    isJson,
    words,
    upstreams,
    serve,
    level: level === 'blocks' ? 1 : 0,
    savesOnFailure: given.saveOnFailure === true,
    ...(given.keep === true ? { over: (library) => overOld(library, out) } : {}),
  })
}

/** Merges a new recording into the old one; new responses replace old ones. */
async function overOld(library: Library, old: string): Promise<Library> {
  return mergeLibraries(await loadLibrary(old), library, 'second')
}

function listeningTo({ comet, eth, ethWs, rest, grpc }: Between['urls']): string {
  const lines = [
    ['CometBFT RPC', comet],
    ['JSON-RPC', eth],
    ['JSON-RPC WebSocket', ethWs],
    ['REST API', rest],
    ['gRPC', grpc],
  ].filter(([, url]) => url !== '')
  return ['Recording; Ctrl-C ends it and writes the folder.', ...lines.map(([what, url]) => `  ${what}: ${url}`)].join(
    '\n',
  )
}

/** Thrown for an unknown level of capture. */
export class BadLevel extends SimError {
  constructor(received: string) {
    super('BAD_SETTING', `--level is calls, blocks or fork, received ${received}`)
  }
}
