/** The subscriptions and filters of each client of a playback. */
import type { Answer } from '../../node/answer.ts'
import { isCallTo, keyOfOther, keyParts } from './callKey.ts'
import { callHas } from './callTraits.ts'
import { listeningKey } from './draft.ts'
import type { Player } from './player.ts'
import { itemTexts } from './slice.ts'

/** A subscription or filter of a client; `heard` is the moment up to which it has been notified. */
type Listening = {
  readonly key: string
  readonly id: string
  readonly connection: number | undefined
  heard: number
}

/** The most subscriptions and filters of a connection, and the most filters of all clients without one. */
const listeningMost = 1000

type Asking = { readonly connection: number | undefined }

type SessionCall = {
  readonly name: string
  readonly id: string
  readonly params: { readonly form: string; readonly text?: string }
}

/** The answer to a call, or the key to look up in the recording instead. */
export type ServedCall = Answer | { readonly key: string }

export type Sessions = {
  /** Serves a call about a subscription or filter; returns undefined for any other call. */
  readonly serve: (asking: Asking, call: SessionCall, key: string) => ServedCall | undefined
  /** Pushes the events since the last call. */
  readonly tell: () => void
  readonly drop: (connection: number) => void
}

type Push = (connections: readonly number[], text: string) => void

/** Returns the sessions of a playback before any subscription. */
export function createSessions(player: Player, push: Push): Sessions {
  const listening: Listening[] = []
  let ids = 0

  function serve({ connection }: Asking, call: SessionCall, key: string): ServedCall | undefined {
    if (callHas(key, 'byListenerId')) return ofOne(call, key)
    // Only a WebSocket can be notified. The node refuses these calls over HTTP.
    if (connection === undefined && (callHas(key, 'subscribes') || callHas(key, 'stopsListening'))) return { key }
    const isOwn = (one: Listening) => one.connection === connection
    if (isCallTo('comet', 'subscribe', key)) {
      if (listening.some((one) => isOwn(one) && one.key === key)) return alreadySubscribed
      return listen({ key, id: call.id, connection }, '{}')
    }
    if (callHas(key, 'subscribes') || callHas(key, 'makesFilter')) {
      const id = `"0x${(++ids).toString(16).padStart(32, '0')}"`
      return listen({ key, id, connection }, id)
    }
    if (!callHas(key, 'stopsListening')) return undefined
    const wanted = keyOfOther(key, 'subscribe')
    const isMeant = isCallTo('comet', 'unsubscribe', key) ? (one: Listening) => isOwn(one) && one.key === wanted : isOwn
    return leave(isMeant) ? done : notFound
  }

  function listen(one: Omit<Listening, 'heard'>, text: string): Answer | undefined {
    if (player.told(one.key, 0, 0) === undefined) return undefined
    const beside = listening.filter(({ connection }) => connection === one.connection)
    if (beside.length >= listeningMost && one.connection !== undefined) return tooMany(one.key)
    // Clients over HTTP leave without a word, so the filter that has not been polled for the longest time ends.
    if (beside.length >= listeningMost) leave((other) => other === beside[0])
    listening.push({ ...one, heard: player.cursor() })
    return { ok: true, text }
  }

  /** Serves a call with a filter or subscription id, which differs from the recorded one. */
  function ofOne({ name, params: { text = '' } }: SessionCall, key: string): ServedCall | undefined {
    const [id = ''] = itemTexts(text)
    const one = listening.find((other) => other.id === id)
    if (one === undefined) return { key: player.has(key) ? key : listeningKey(name, undefined) }
    listening.push(...listening.splice(listening.indexOf(one), 1))
    if (name === 'eth_getFilterChanges') {
      return { ok: true, text: `[${newTo(player, one).join(',')}]` }
    }
    if (name === 'eth_getFilterLogs') return logsOf(player, one)
    return leave((other) => other === one) ? { ok: true, text: 'true' } : { key }
  }

  const leave = (isMeant: (one: Listening) => boolean) => removed(listening, isMeant)

  function tell(): void {
    for (const one of listening) {
      const { connection, key } = one
      if (connection === undefined || one.heard >= player.cursor() || callHas(key, 'makesFilter')) {
        continue
      }
      for (const text of newTo(player, one)) {
        player.given(text, connection)
        push([connection], pushText(one, text))
      }
    }
  }

  return {
    serve,
    tell,
    drop: (connection) => {
      leave((one) => one.connection === connection)
    },
  }
}

/** Removes the items that are meant from a list. Returns whether there were any. */
function removed<T>(list: T[], isMeant: (one: T) => boolean): boolean {
  const kept = list.filter((one) => !isMeant(one))
  const isThere = kept.length < list.length
  list.splice(0, list.length, ...kept)
  return isThere
}

/** Returns the events that a listener has not received yet, and marks them as received. */
function newTo(player: Player, one: Listening): readonly string[] {
  const upTo = player.cursor()
  const texts = player.told(one.key, one.heard, upTo) ?? []
  one.heard = upTo
  return texts
}

/** Returns all logs of a filter: the recorded answer, or else the events up to the cursor. */
function logsOf(player: Player, { key }: Listening): ServedCall {
  const asked = listeningKey('eth_getFilterLogs', key)
  if (player.has(asked)) return { key: asked }
  return { ok: true, text: `[${(player.told(key, -Infinity, player.cursor()) ?? []).join(',')}]` }
}

const done: Answer = { ok: true, text: '{}' }

/** An error in the form of CometBFT RPC (`comet-rpc.md` §2.6). */
const failed = (text: string): Answer => ({
  ok: false,
  error: { code: -32603, message: 'Internal error', data: JSON.stringify(text) },
})
const alreadySubscribed = failed('already subscribed')
const notFound = failed('subscription not found')

function tooMany(key: string): Answer {
  const message = `expected at most ${listeningMost} subscriptions and filters of a connection`
  return keyParts(key).side === 'comet'
    ? failed(message)
    : { ok: false, error: { code: -32000, message, data: undefined } }
}

function pushText({ key, id }: Listening, text: string): string {
  if (keyParts(key).side === 'comet') return `{"jsonrpc":"2.0","id":${id},"result":${text}}`
  return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":${id},"result":${text}}}`
}
