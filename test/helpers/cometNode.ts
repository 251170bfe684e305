/** CometBFT RPC in this process over a chain of `kvApp`: requests in, replies and pushes out. */
import { createRandom } from '../../src/data/random.ts'
import { sha256 } from '../../src/crypto/hash.ts'
import { apply } from '../../src/node/apply.ts'
import { createNode } from '../../src/node/createNode.ts'
import type { RequestInput, Stamp } from '../../src/node/input.ts'
import type { Node } from '../../src/node/node.ts'
import type { Output, ReplyOutput } from '../../src/node/output.ts'
import type { World } from '../../src/node/world.ts'
import { cometSide } from '../../src/rpc/comet/side.ts'
import { resume, serve, type Served } from '../../src/rpc/serve.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { kvChain } from './kvChain.ts'
import { cometRequest } from './requests.ts'

export type Given = Partial<Settings>

/** A node that is asked one request after another and keeps what came of them. */
export class CometNode {
  readonly world: World
  node: Node
  #seq = 0

  constructor(settings: Given = {}, validators = 1) {
    const { world, chain } = kvChain({ validators })
    const random = createRandom(new TextEncoder().encode('comet'), sha256)
    this.world = { ...world, keyring: [], version: 'test', random }
    this.node = createNode(this.world, { ...profileSettings('local'), ...settings }, chain.genesis)
  }

  /**
   * Makes blocks, one for each text of transactions that are joined by blanks ('' for an empty
   * one).
   */
  blocks(...texts: readonly string[]): this {
    for (const text of texts) {
      const txs = text.split(' ').filter((tx) => tx !== '')
      const { policy } = this.node.chain
      this.command({ type: 'setBlockPolicy', policy: { mode: 'manual' } })
      for (const tx of txs) this.command({ type: 'submitTx', tx: new TextEncoder().encode(tx), mode: 'admit' })
      this.command({ type: 'produceBlock' })
      this.command({ type: 'setBlockPolicy', policy })
    }
    return this
  }

  /** Carries a command out. */
  command(command: Parameters<typeof apply>[2]): void {
    this.node = apply(this.world, this.node, command).node
  }

  /** Returns what leaves because of a request. */
  send(request: Partial<RequestInput>): readonly Output[] {
    this.#seq += 1
    const input: Stamp & RequestInput = {
      ...cometRequest({ host: 'localhost:26657' }),
      seq: this.#seq,
      timeMs: this.node.nowMs,
      session: '',
      ...request,
    }
    return this.#keep(serve({ world: this.world, side: cometSide }, this.node, input))
  }

  /** Wakes the reply that is owed longest. */
  wake(woken: 'event' | 'timeout'): readonly Output[] {
    const owed = this.node.owed.find(({ wait }) => wait.for !== 'turn')
    if (owed === undefined) throw new Error('nothing is owed')
    return this.#keep(resume({ world: this.world, side: cometSide }, { node: this.node, owed, woken }))
  }

  #keep({ node, outputs }: Served): readonly Output[] {
    this.node = node
    return outputs
  }

  get(target: string): ReplyOutput {
    return replyOf(this.send({ verb: 'GET', target, contentType: '' }))
  }

  post(body: unknown): ReplyOutput {
    return replyOf(this.send({ body: typeof body === 'string' ? body : JSON.stringify(body) }))
  }

  /** Returns the parsed answer of a call over POST. */
  call(
    method: string,
    params: unknown = {},
  ): {
    readonly result?: unknown
    readonly error?: { readonly data?: string }
  } {
    return JSON.parse(this.post({ jsonrpc: '2.0', id: 1, method, params }).body)
  }

  /** Returns the texts that leave over WebSocket because of a message, pushes included. */
  say(message: unknown, connection = 1): readonly string[] {
    const body = typeof message === 'string' ? message : JSON.stringify(message)
    return textsOf(this.send({ transport: 'ws', target: '/websocket', connection, body }))
  }
}

/** Returns the texts of replies and pushes. */
export function textsOf(outputs: readonly Output[]): readonly string[] {
  return outputs.flatMap((output) =>
    output.kind === 'reply' ? (output.body === '' ? [] : [output.body]) : output.kind === 'push' ? [output.text] : [],
  )
}

/** Returns the reply among outputs. */
export function replyOf(outputs: readonly Output[]): ReplyOutput {
  const reply = outputs.find((output) => output.kind === 'reply')
  if (reply === undefined) throw new Error(`no reply among ${JSON.stringify(outputs)}`)
  return reply
}
