/** The one interpreter of this process, loaded when a tracer first wants it. */
import { thrownText } from '../../errors.ts'
import { type ScriptEngine, ScriptFailed, type Scripts } from '../../evm/scripts/engine.ts'

/** Shared by all worlds: nothing of one script is there for the next. */
export const scripts: Scripts = { engine: undefined, isWanted: false }

let loading: Promise<void> | undefined

/**
 * Resolves when tracers in JavaScript can run. Where the interpreter cannot be loaded, each of them
 * fails and says why.
 */
export function loadScripts(): Promise<void> {
  loading ??= import('./quickjs.ts')
    .then(({ loadQuickJs }) =>
      loadQuickJs(() => {
        scripts.engine = undefined
        loading = undefined
      }),
    )
    .catch(failing)
    .then((engine) => {
      scripts.engine = engine
    })
  return loading
}

function failing(error: unknown): ScriptEngine {
  return {
    bigInt: '',
    open: () => {
      throw new ScriptFailed(`the interpreter is not there: ${thrownText(error)}`)
    },
  }
}
