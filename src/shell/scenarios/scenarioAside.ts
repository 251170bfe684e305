/**
 * Loads scenarios while a chain serves. A file of some thousand steps takes seconds to compile, so
 * large files are compiled in a separate thread and do not delay requests.
 */
import { Worker } from 'node:worker_threads'
import { SimError } from '../../errors.ts'
import type { CompileInput } from '../../scenario/compile.ts'
import { InvalidScenario, type Diagnostic } from '../../scenario/diagnostic.ts'
import { compiledFiles, readScenario, type LoadedScenario } from './scenarioFiles.ts'

/** The order to the thread. */
export type CompileOrder = { readonly path: string; readonly given: CompileInput }

/** The answer of the thread: the scenario, its problems, or the reason why it cannot be read. */
export type Aside =
  | { readonly loaded: LoadedScenario }
  | { readonly diagnostics: readonly Diagnostic[]; readonly files: ReadonlyMap<string, string> }
  | { readonly code: string; readonly message: string; readonly hint: string | undefined }

/** The most characters to compile here: such files compile as fast as a thread starts. */
const charactersMost = 32_768

/**
 * Resolves with the scenario at `path`. Throws the errors of `loadScenario`; an unreadable file may
 * throw a `NotLoaded` with the same code and text.
 */
export async function loadScenarioAside(path: string, given: CompileInput): Promise<LoadedScenario> {
  const { files, isWhole } = await readScenario(path, charactersMost)
  if (isWhole) return compiledFiles(path, files, given)
  // The thread loads the generator of made-up names itself, because functions cannot be sent.
  const aside = await askThread({ path, given: { ...given, fake: undefined } })
  if ('loaded' in aside) return { ...aside.loaded, given }
  if ('diagnostics' in aside) throw new InvalidScenario(aside.diagnostics, aside.files)
  throw new NotLoaded(aside)
}

function askThread(asked: CompileOrder): Promise<Aside> {
  // The compiler and the bundler both write scenarioWorker.js next to this file.
  const worker = new Worker(new URL('./scenarioWorker.js', import.meta.url), { workerData: asked })
  worker.unref()
  return new Promise<Aside>((done, fail) => {
    worker.once('message', done)
    worker.once('error', fail)
  }).finally(() => worker.terminate())
}

/** The thread could not read a scenario. */
export class NotLoaded extends SimError {
  constructor({ code, message, hint }: { code: string; message: string; hint: string | undefined }) {
    super(code, message, hint === undefined ? {} : { hint })
  }
}
