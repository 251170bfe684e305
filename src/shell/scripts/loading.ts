/** The interpreter of JavaScript tracers, one per process, loaded on first use. */
import { thrownText } from '../../errors.ts'
import { type ScriptEngine, ScriptFailed, type Scripts } from '../../evm/scripts/engine.ts'

/** Shared by all worlds, because a script leaves nothing behind for the next one. */
export const scripts: Scripts = { part: undefined, isWanted: false }

let loading: Promise<void> | undefined

/**
 * Resolves when JavaScript tracers can run. If the interpreter cannot be loaded, each tracer fails
 * with the reason.
 */
export function loadScripts(): Promise<void> {
  loading ??= import('./quickjs.ts')
    .then(({ loadQuickJs }) =>
      loadQuickJs(() => {
        scripts.part = undefined
        loading = undefined
      }),
    )
    .catch(failing)
    .then((engine) => {
      scripts.part = engine
    })
  return loading
}

function failing(error: unknown): ScriptEngine {
  return {
    surroundings: [],
    open: () => {
      throw new ScriptFailed(`the interpreter is not there: ${thrownText(error)}`)
    },
  }
}
