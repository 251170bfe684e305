/** Asks a node again for a part of a recording. */
import { rm } from 'node:fs/promises'
import { keyParts } from '../../recording/playback/callKey.ts'
import { callsAgain, updated, type Again } from '../../recording/folder/refresh.ts'
import type { Call } from '../../rpc/transport.ts'
import { askNode } from './askNode.ts'
import { loadLibrary, originNow, saveLibrary } from './folderFiles.ts'
import { openSink, type Withheld } from './sink.ts'
import { secretsOf, secretsOfEnvironment, type Upstreams } from './upstream.ts'

export type Update = Again & {
  readonly upstreams: Upstreams
  /** Calls that a run has missed; with them, nothing else is asked. */
  readonly missed: readonly string[] | undefined
}

/** What was asked and answered, what the node did not answer, and what held a secret. */
export type Updated = {
  readonly asked: number
  readonly unanswered: readonly string[]
  readonly withheld: readonly Withheld[]
}

/** Resolves when the folder has the new answers; it is as it was when the node answers nothing. */
export async function updateFolder(
  folder: string, { upstreams, missed, only, heights }: Update,
): Promise<Updated> {
  const library = await loadLibrary(folder)
  const keys = missed ?? callsAgain(library, { only, heights })
  const log = `${folder}.update.jsonl`
  const sink = openSink(log, [...secretsOf(upstreams), ...secretsOfEnvironment(process.env)])
  const unanswered: string[] = []
  for (const key of keys) {
    const { side, method, params } = keyParts(key)
    const call = { name: method, id: '1', params: paramsOf(side, params) }
    const { line } = await askNode(upstreams, { side, call }, library.startsAt)
    if (line === undefined) unanswered.push(key)
    else sink.note(line)
  }
  const fresh = sink.end()
  await rm(log)
  if (fresh.answers.size > 0) await saveLibrary(folder, updated(library, fresh), originNow())
  return { asked: keys.length, unanswered, withheld: sink.withheld() }
}

/**
 * Parameters of a key as they are sent: those of interface A in a query, whose texts are quoted.
 */
function paramsOf(side: string, params: string): Call['params'] {
  if (side === 'eth') return { form: 'json', text: params === 'null' ? '[]' : params }
  const named = Object.entries(JSON.parse(params) as Readonly<Record<string, string>>)
  const isPlain = (value: string) => /^(?:\d+|0x[0-9a-f]*|true|false)$/.test(value)
  return {
    form: 'uri',
    pairs: new Map(named.map(([name, value]) => [name, nameOf(name, value, isPlain)])),
  }
}

function nameOf(name: string, value: string, isPlain: (value: string) => boolean): string {
  if (name === 'data') return `0x${value.replace(/^0x/, '')}`
  return isPlain(value) ? value : JSON.stringify(value)
}
