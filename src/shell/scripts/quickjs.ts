/**
 * Runs JavaScript tracers with QuickJS in WebAssembly. Each realm starts with the same memory
 * contents. Nothing is freed, and a script cannot affect the next one, not even by fragmenting its
 * memory.
 */
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import variant from '@jitl/quickjs-wasmfile-release-sync'
import {
  DefaultIntrinsics,
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import { assert } from '../../errors.ts'
import { type Ask, type Realm, type ScriptEngine, ScriptStopped, type ScriptValue } from '../../evm/scripts/engine.ts'
import { prelude } from '../../evm/scripts/prelude.ts'
import { removals } from '../../evm/scripts/removals.ts'

// Its types are those of CommonJS, where the default export is one level deeper.
const syncVariant = variant as unknown as QuickJSSyncVariant

const pageBytes = 1 << 16
const firstPages = 256
const mostPages = 512
const stackBytes = 256 << 10
/**
 * Maximum number of interrupt checks. QuickJS calls the interrupt handler after every 10,000
 * backward jumps and calls.
 */
const mostQuestions = 3000
/**
 * Time limit in milliseconds. Only operators on texts of several megabytes reach it, because each
 * counts as one operation; all other scripts reach `mostQuestions` long before. Replays of such
 * scripts may differ.
 */
const mostMsUsually = 60_000

/**
 * Resolves with an interpreter. A script may use 32 MiB and thirty million jumps and calls. It is
 * also stopped at the first interrupt check after `mostMs` milliseconds. `onBroken` is called when
 * the interpreter itself has failed and must not be used again.
 */
export async function loadQuickJs(onBroken: () => void, mostMs = mostMsUsually): Promise<ScriptEngine> {
  const memory = new WebAssembly.Memory({ initial: firstPages, maximum: mostPages })
  const quickJs = await newQuickJSWASMModuleFromVariant(
    newVariant(syncVariant, {
      wasmMemory: memory,
    }),
  )
  const fresh = new Uint8Array(memory.buffer).slice()
  const restore = (): void => {
    const bytes = new Uint8Array(memory.buffer)
    bytes.set(fresh)
    bytes.fill(0, fresh.length)
  }
  assert(fresh.length === firstPages * pageBytes, 'QuickJS has grown before its first script')
  let isOpen = false
  const path = createRequire(import.meta.url).resolve('big-integer')
  return {
    surroundings: [removals, readFileSync(path, 'utf8'), prelude],
    open: (sources, ask, share = 1) => {
      assert(!isOpen, 'one realm at a time')
      restore()
      isOpen = true
      return openRealm(quickJs, {
        sources,
        ask,
        watch: {
          questions: mostQuestions * (1 - share),
          endMs: performance.now() + mostMs,
          isStopped: false,
          thrown: undefined,
          onBroken,
        },
        onClose: () => {
          isOpen = false
        },
      })
    },
  }
}

type Opening = {
  readonly sources: readonly string[]
  readonly ask: Ask
  readonly watch: Watch
  readonly onClose: () => void
}

/** Counters and errors of a realm while a script runs. */
type Watch = {
  questions: number
  readonly endMs: number
  isStopped: boolean
  thrown: { error: unknown } | undefined
  readonly onBroken: () => void
}

function openRealm(quickJs: QuickJSWASMModule, { sources, ask, watch, onClose }: Opening): Realm {
  try {
    const runtime = quickJs.newRuntime()
    runtime.setMaxStackSize(stackBytes)
    runtime.setInterruptHandler(() => {
      watch.isStopped ||= ++watch.questions > mostQuestions || performance.now() > watch.endMs
      return watch.isStopped
    })
    const context = runtime.newContext({
      intrinsics: { ...DefaultIntrinsics, Date: false, Proxy: false, Promise: false },
    })
    const functions = setUp(context, sources, { ask, watch })
    return {
      call: (name, args) => called(context, functions, { name, args, watch }),
      close: onClose,
    }
  } catch (error) {
    onClose()
    throw error
  }
}

function setUp(
  context: QuickJSContext,
  sources: readonly string[],
  { ask, watch }: { ask: Ask; watch: Watch },
): QuickJSHandle {
  const values = sources.map((source) =>
    guarded(watch, () => context.unwrapResult(context.evalCode(source, '<chainstage>', { type: 'global' }))),
  )
  const make = values.pop()
  assert(make !== undefined, 'a realm has at least one source')
  for (const value of values) value.dispose()
  const door = context.newFunction('ask', (...handles) => {
    const [what = '', ...args] = handles.map((handle) => context.getString(handle))
    try {
      return context.newString(ask(what, args))
    } catch (error) {
      watch.thrown ??= { error }
      throw new Error('the host refused', { cause: error })
    }
  })
  const functions = guarded(watch, () => context.unwrapResult(context.callFunction(make, context.undefined, door)))
  door.dispose()
  make.dispose()
  return functions
}

type Call = {
  readonly name: string
  readonly args: readonly ScriptValue[]
  readonly watch: Watch
}

function called(context: QuickJSContext, functions: QuickJSHandle, { name, args, watch }: Call): string {
  const handles = args.map((value) => handleOf(context, value))
  const callee = context.getProp(functions, name)
  const text = guarded(watch, () =>
    context
      .unwrapResult(context.callFunction(callee, functions, ...handles))
      .consume((value) => context.getString(value)),
  )
  for (const handle of handles) handle.dispose()
  callee.dispose()
  if (watch.thrown !== undefined) throw watch.thrown.error
  return text
}

function handleOf(context: QuickJSContext, value: ScriptValue): QuickJSHandle {
  if (value === undefined) return context.undefined
  return typeof value === 'number' ? context.newNumber(value) : context.newString(value)
}

/**
 * Runs `act` and rethrows errors of the host, which a script cannot catch. Throws `ScriptStopped`
 * for limits and script errors, and calls `onBroken` if QuickJS itself fails.
 */
function guarded<T>(watch: Watch, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) watch.onBroken()
    if (watch.thrown !== undefined) throw watch.thrown.error
    if (watch.isStopped) throw new ScriptStopped('execution timeout')
    throw new ScriptStopped(error instanceof Error ? error.message : String(error))
  }
}
