/** What each client of a playback listens to: subscriptions and filters. */
import type { Answer } from '../../node/answer.ts'
import type { Player } from './player.ts'
import { itemTexts } from './slice.ts'

/** A subscription or filter of a client; `heard` is how far in the recording it was told. */
type Listening = { readonly key: string; readonly id: string; readonly connection: number | undefined; heard: number }

type Asking = { readonly connection: number | undefined }

type SessionCall = {
  readonly name: string
  readonly id: string
  readonly params: { readonly form: string; readonly text?: string }
}

export type Sessions = {
  /** Returns the answer to a call about the client's own, or undefined for any other. */
  readonly serve: (asking: Asking, call: SessionCall, key: string) => Answer | undefined
  /** Pushes what has come since. */
  readonly tell: () => void
  readonly drop: (connection: number) => void
}

/** Returns the sessions of a playback before anyone listens. */
export function createSessions(player: Player, push: (connections: readonly number[], text: string) => void): Sessions {
  const listening: Listening[] = []
  let ids = 0

  /** Subscriptions and filters are each client's own; everything else is not. */
  function serve({ connection }: Asking, call: SessionCall, key: string): Answer | undefined {
    const [first = ''] = itemTexts(call.params.text ?? '')
    switch (call.name) {
      case 'subscribe': return listen({ key, id: call.id, connection }, '{}')
      case 'eth_subscribe':
      case 'eth_newFilter':
      case 'eth_newBlockFilter':
      case 'eth_newPendingTransactionFilter': {
        const id = `"0x${(++ids).toString(16).padStart(32, '0')}"`
        return listen({ key, id, connection }, id)
      }
      case 'unsubscribe': return leave((one) => one.connection === connection && one.key === key.replace('unsubscribe', 'subscribe'), '{}')
      case 'unsubscribe_all': return leave((one) => one.connection === connection, '{}')
      case 'eth_unsubscribe':
      case 'eth_uninstallFilter': return leave((one) => one.id === first, 'true')
      case 'eth_getFilterChanges': return changes(first)
      default: return undefined
    }
  }

  function listen(one: Omit<Listening, 'heard'>, text: string): Answer | undefined {
    if (player.told(one.key, 0, 0) === undefined) return undefined
    listening.push({ ...one, heard: player.cursor() })
    return { ok: true, text }
  }

  function leave(isMeant: (one: Listening) => boolean, text: string): Answer {
    const isThere = listening.some(isMeant)
    forget(isMeant)
    return { ok: true, text: text === 'true' ? String(isThere) : text }
  }

  function changes(id: string): Answer | undefined {
    const one = listening.find((other) => other.id === id)
    if (one === undefined) return undefined
    const upTo = player.cursor()
    const texts = player.told(one.key, one.heard, upTo) ?? []
    one.heard = upTo
    return { ok: true, text: `[${texts.join(',')}]` }
  }

  function forget(isMeant: (one: Listening) => boolean): void {
    listening.splice(0, listening.length, ...listening.filter((one) => !isMeant(one)))
  }

  function tell(): void {
    const upTo = player.cursor()
    for (const one of listening) {
      if (one.connection === undefined || one.heard >= upTo || one.key.includes('Filter ')) continue
      const texts = player.told(one.key, one.heard, upTo) ?? []
      one.heard = upTo
      for (const text of texts) {
        player.given(text)
        push([one.connection], pushText(one, text))
      }
    }
  }

  return { serve, tell, drop: (connection) => forget((one) => one.connection === connection) }
}

function pushText({ key, id }: Listening, text: string): string {
  if (key.startsWith('comet ')) return `{"jsonrpc":"2.0","id":${id},"result":${text}}`
  return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":${id},"result":${text}}}`
}
