/**
 * JavaScript for tracers: what the core needs of an interpreter, and where the shell puts one. The
 * interpreter must be exact: the same source and the same answers of `ask` give the same texts, and
 * a limit is met at the same place, or a replay would differ.
 */
import { SimError } from '../../errors.ts'

/** What a script may be given and may ask for; numbers are safe integers. */
export type ScriptValue = string | number | undefined

/** Answers a script; throwing ends it, and the caller gets the exception unchanged. */
export type Ask = (what: string, args: readonly string[]) => string

export type ScriptEngine = {
  /**
   * Runs `sources` in a realm of its own, then calls what the last of them gave with `ask`; the
   * object that this returns is the realm's. It may do `share` (0 to 1) of what a script may do at most. Throws
   * `ScriptStopped`.
   */
  readonly open: (sources: readonly string[], ask: Ask, share?: number) => Realm
  /** Source text of the library that tracers call `bigInt`. */
  readonly bigInt: string
}

/** `close` frees everything, and has to be called. */
export type Realm = {
  /** Calls a function of the realm's object, which gives a text. Throws `ScriptStopped`. */
  readonly call: (name: string, args: readonly ScriptValue[]) => string
  readonly close: () => void
}

/**
 * A place for the interpreter. It is heavy, so it is loaded when a tracer first wants it: the core
 * says so, and the shell loads it and enters the same input again.
 */
export type Scripts = { engine: ScriptEngine | undefined; isWanted: boolean }

/** Returns the interpreter. Throws `ScriptsNotLoaded` where there is none yet, and says it is wanted. */
export function scriptEngine(scripts: Scripts): ScriptEngine {
  if (scripts.engine !== undefined) return scripts.engine
  scripts.isWanted = true
  throw new ScriptsNotLoaded()
}

/** Returns whether the interpreter was wanted and not there, and forgets it. */
export function takeScriptsWanted(scripts: Scripts | undefined): boolean {
  if (scripts?.isWanted !== true) return false
  scripts.isWanted = false
  return true
}

/** Nobody has loaded the interpreter; the input is entered again when that has happened. */
export class ScriptsNotLoaded extends SimError {
  constructor() {
    super('SCRIPTS_NOT_LOADED', 'the interpreter of JavaScript tracers is not loaded', {
      hint: 'Ask again: the first trace loads it.',
    })
  }
}

/** A script met a limit: it ran for too long, or memory ran out. The text is the node's. */
export class ScriptStopped extends SimError {
  constructor(text: string) {
    super('SCRIPT_STOPPED', text)
  }
}

/** A script failed or is no tracer; the text is the node's where that is known. */
export class ScriptFailed extends SimError {
  constructor(text: string) {
    super('SCRIPT_FAILED', text)
  }
}
