/**
 * Loads scenarios while a chain serves. A file of some thousand steps takes seconds to compile, so
 * large ones are compiled in a thread of their own and requests are answered in the meantime.
 */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { SimError } from '../errors.ts'
import type { Given } from '../scenario/compile.ts'
import { InvalidScenario, type Diagnostic } from '../scenario/diagnostic.ts'
import { loadScenario, type Loaded } from './scenarioFiles.ts'

/** What the thread is asked. */
export type Asked = { readonly path: string; readonly given: Given }

/** What the thread answers: the scenario, its problems, or why it cannot be read. */
export type Aside =
  | { readonly loaded: Loaded }
  | { readonly diagnostics: readonly Diagnostic[]; readonly files: ReadonlyMap<string, string> }
  | { readonly code: string; readonly message: string; readonly hint: string | undefined }

/** In bytes. Smaller files compile in about the time that a thread takes to start. */
const asideFrom = 32_768

/**
 * Resolves with the scenario at `path`; `closure` are the files it was made of before. Throws what
 * `loadScenario` throws; what cannot be read is a `NotLoaded` with the same code and text.
 */
export async function loadScenarioAside(path: string, closure: readonly string[], given: Given): Promise<Loaded> {
  const sizes = await Promise.all(closure.map(sizeOf))
  if (sizes.reduce((sum, size) => sum + size, 0) < asideFrom) return loadScenario(path, given)
  // The thread loads what makes up names by itself: functions cannot be sent.
  const aside = await askThread({ path, given: { ...given, fake: undefined } })
  if ('loaded' in aside) return { ...aside.loaded, given }
  if ('diagnostics' in aside) throw new InvalidScenario(aside.diagnostics, aside.files)
  throw new NotLoaded(aside)
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(resolve(file)).catch(() => undefined)
  return found?.size ?? 0
}

function askThread(asked: Asked): Promise<Aside> {
  // Built beside this file, both by the compiler and by the bundler.
  const worker = new Worker(new URL('./scenarioWorker.js', import.meta.url), { workerData: asked })
  worker.unref()
  return new Promise<Aside>((done, fail) => {
    worker.once('message', done)
    worker.once('error', fail)
  }).finally(() => worker.terminate())
}

/** A scenario that the thread could not read. */
export class NotLoaded extends SimError {
  constructor({ code, message, hint }: { code: string; message: string; hint: string | undefined }) {
    super(code, message, hint === undefined ? {} : { hint })
  }
}
