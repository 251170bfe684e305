/** Bugs of many kinds, each planted at a seam of a storm. */
import { overlayKey } from '../../src/app/draft.ts'
import type { AppState } from '../../src/app/state.ts'
import type { World } from '../../src/node/world.ts'
import { mapDelete } from '../../src/data/persistentMap.ts'
import type { Plant } from './plants.ts'

/** Every so many. */
function every<Value>(count: number, change: (value: Value) => Value): (value: Value) => Value {
  let seen = 0
  return (value) => (++seen % count === 0 ? change(value) : value)
}

/** Plants by what is wrong; each storm gets a new one. */
export const plantedBugs: Readonly<Record<string, () => Plant>> = {
  'an entry is acknowledged before it is on disk': () => ({
    log: (log) => ({
      ...log,
      append: (entry) => {
        log.append(entry).catch(() => {})
        return Promise.resolve()
      },
    }),
  }),
  'the folder of a renamed file is not synced': () => ({
    disk: (disk) => ({
      ...disk,
      open: async (path, flags, mode) => {
        const file = await disk.open(path, flags, mode)
        return flags === 0 ? { ...file, sync: () => Promise.resolve() } : file
      },
    }),
  }),
  'a failed sync is taken for a success': () => ({
    disk: (disk) => ({
      ...disk,
      open: async (path, flags, mode) => {
        const file = await disk.open(path, flags, mode)
        return { ...file, sync: () => file.sync().catch(() => {}), datasync: () => file.datasync().catch(() => {}) }
      },
    }),
  }),
  'the rest of a short write is forgotten': () => ({
    disk: (disk) => ({
      ...disk,
      open: async (path, flags, mode) => {
        const file = await disk.open(path, flags, mode)
        return { ...file, write: (bytes) => file.write(bytes).then(() => ({ bytesWritten: bytes.length })) }
      },
    }),
  }),
  'an event is pushed twice': () => ({
    receive: (take) => {
      const twice = every<string>(2, (text) => {
        take(text)
        return text
      })
      return (text) => take(text.includes('eth_subscription') ? twice(text) : text)
    },
  }),
  'an event is lost': () => ({
    receive: (take) => {
      const lost = every<string>(3, () => '')
      return (text) => {
        const kept = text.includes('NewBlock') && text.includes('"data"') ? lost(text) : text
        if (kept !== '') take(kept)
      }
    },
  }),
  'a reply is dropped': () => ({
    enter: (enter) => {
      let seen = 0
      return (body, onReply) => enter(body, onReply === undefined || ++seen % 50 === 0 ? undefined : onReply)
    },
  }),
  'a reply comes twice': () => ({
    enter: (enter) => {
      let seen = 0
      return (body, onReply) =>
        enter(body, (reply) => {
          onReply?.(reply)
          if (++seen % 50 === 0) onReply?.(reply)
        })
    },
  }),
  'the REST API shows the balance of another account': () => ({
    enter: (enter) => (body, onReply) =>
      enter(
        body.kind === 'request' && body.side === 'rest'
          ? {
              ...body,
              target: body.target.replace(/balances\/[^/]+/, 'balances/cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a'),
            }
          : body,
        onReply,
      ),
  }),
  'every block mints a token without counting it': () => ({
    world: (world) => ({
      ...world,
      app: { ...world.app, finalizeBlock: (state, request) => world.app.finalizeBlock(minted(world, state), request) },
    }),
  }),
  'a block depends on how many blocks the process has made': () => ({
    world: (world) => {
      let blocks = 0
      return {
        ...world,
        app: {
          ...world.app,
          finalizeBlock: (state, request) =>
            world.app.finalizeBlock(
              state,
              ++blocks % 5 === 0 ? { ...request, proposerAddress: new Uint8Array(20) } : request,
            ),
        },
      }
    },
  }),
  'the file of old blocks is not synced': () => ({
    disk: (disk) => ({
      ...disk,
      open: async (path, flags, mode) => {
        const file = await disk.open(path, flags, mode)
        return path.includes('.history/') ? { ...file, datasync: () => Promise.resolve() } : file
      },
    }),
  }),
  'old blocks on disk are read from another place': () => ({
    log: (log) => {
      const { history } = log
      let newest = new Uint8Array()
      const add: typeof history.add = (bytes) => {
        newest = Uint8Array.from(bytes)
        const stored = history.add(bytes)
        return stored && { ...stored, load: () => newest }
      }
      return { ...log, history: { ...history, add } }
    },
  }),
  'a fork adds a wei to the balances of the other chain': () => ({
    source: (source) => ({
      ...source,
      ask: async (call) => {
        const answer = await source.ask(call)
        if (answer.ok !== true || call.method !== 'eth_getBalance') return answer
        return { ...answer, text: JSON.stringify(`0x${(BigInt(JSON.parse(answer.text) as string) + 1n).toString(16)}`) }
      },
    }),
  }),
  'a long read sees the state at its end': () => ({ read: (job, now) => ({ ...job, state: now }) }),
  'REST does not find Cosmos transactions': () => ({
    enter: (enter) => (body, onReply) =>
      enter(
        body.kind === 'request' && body.side === 'rest'
          ? { ...body, target: body.target.replace(/v1beta1\/txs\/..../, 'v1beta1/txs/0000') }
          : body,
        onReply,
      ),
  }),
  'a connection is kept when its client has left': () => ({
    socket: (socket) => ({ ...socket, on: (event, listener) => event !== 'close' && socket.on(event, listener) }),
  }),
}

/** Returns the state with an account's balance changed, but not the supply. */
function minted({ app }: World, state: AppState): AppState {
  const amount = 10n ** 18n + state.height
  const edited = app.edit(state, [{ type: 'setBalance', address: new Uint8Array(20).fill(0x33), amount }]).state
  return { ...edited, edits: mapDelete(edited.edits, overlayKey('bank', '\u0000atest')) }
}
