/** Requests a part of a recording again from a node. */
import { keyParts, type KeyParts } from '../../recording/playback/callKey.ts'
import { callsAgain, updated, type Again } from '../../recording/folder/refresh.ts'
import { heightHeader } from '../../rpc/cosmos/height.ts'
import { messageFrom } from '../../rpc/grpc/jsonCall.ts'
import type { Call } from '../../rpc/transport.ts'
import { systemDisk } from '../durable/disk.ts'
import { lockPath, type Lock } from '../durable/lock.ts'
import { askNode } from './askNode.ts'
import { loadLibrary, originNow, originOf, saveLibrary } from './folderFiles.ts'
import { openSink, type Withheld } from './sink.ts'
import { secretsOf, secretsOfEnvironment, type Upstreams } from './upstream.ts'

export type Update = Again & {
  readonly upstreams: Upstreams
  /** Calls that a run missed; if set, only these are requested. */
  readonly missed: readonly string[] | undefined
}

/** The number of calls, the calls without a response, and those withheld because of a secret. */
export type Updated = {
  readonly asked: number
  readonly unanswered: readonly string[]
  readonly withheld: readonly Withheld[]
}

/** Saves new answers in a folder, which stays unchanged if the node answers nothing. */
export async function updateFolder(folder: string, update: Update): Promise<Updated> {
  const lock = lockPath(folder)
  try {
    return await updateLocked(folder, update, lock)
  } finally {
    lock.release()
  }
}

async function updateLocked(
  folder: string,
  { upstreams, missed, only, heights }: Update,
  lock: Lock,
): Promise<Updated> {
  const library = await loadLibrary(folder)
  const keys = missed ?? callsAgain(library, { only, heights })
  const log = `${folder}.update.jsonl`
  const sink = openSink(log, [...secretsOf(upstreams), ...secretsOfEnvironment(process.env)])
  const unanswered: string[] = []
  for (const key of keys) {
    const parts = keyParts(key)
    const { side, method } = parts
    const call = { name: method, id: '1', params: paramsOf(parts) }
    const { line } = await askNode(upstreams, { side, call }, library.startsAt)
    if (line === undefined) unanswered.push(key)
    else sink.note(line)
  }
  const fresh = sink.end()
  await systemDisk.rm(log, { force: true })
  if (fresh.answers.size > 0) {
    const { level } = await originOf(folder)
    await saveLibrary(folder, updated(library, fresh), originNow(level), lock)
  }
  return { asked: keys.length, unanswered, withheld: sink.withheld() }
}

/**
 * Returns the parameters of a key in the form to send. CometBFT RPC uses a query string with quoted
 * texts.
 */
function paramsOf({ side, method, params }: KeyParts): Call['params'] {
  if (side === 'rest' || side === 'grpc') return serviceParams(method, params)
  if (side === 'eth') return { form: 'json', text: params === 'null' ? '[]' : params }
  const named = Object.entries(JSON.parse(params) as Readonly<Record<string, string>>)
  const isPlain = (value: string) => /^(?:\d+|0x[0-9a-f]*|true|false)$/.test(value)
  return {
    form: 'uri',
    pairs: new Map(named.map(([name, value]) => [name, nameOf(name, value, isPlain)])),
  }
}

function serviceParams(method: string, params: string): Call['params'] {
  const { [heightHeader]: height, ...members } = JSON.parse(params) as Readonly<Record<string, string>>
  const text = JSON.stringify(members)
  return { form: 'json', text, message: messageFrom(method, members), height }
}

function nameOf(name: string, value: string, isPlain: (value: string) => boolean): string {
  if (name === 'data') return `0x${value.replace(/^0x/, '')}`
  return isPlain(value) ? value : JSON.stringify(value)
}
