/** The thread of `scenarioAside.ts`: loads one scenario and posts the result. */
import { parentPort, workerData } from 'node:worker_threads'
import { isExpected } from '../../errors.ts'
import { InvalidScenario } from '../../scenario/diagnostic.ts'
import type { Aside, CompileOrder } from './scenarioAside.ts'
import { loadScenario } from './scenarioFiles.ts'

async function answer({ path, given }: CompileOrder): Promise<Aside> {
  try {
    return { loaded: await loadScenario(path, given) }
  } catch (error) {
    if (error instanceof InvalidScenario) return { diagnostics: error.diagnostics, files: error.files }
    if (!isExpected(error)) throw error
    return { code: error.code, message: error.message, hint: error.hint }
  }
}

void answer(workerData as CompileOrder).then((aside) => parentPort?.postMessage(aside))
