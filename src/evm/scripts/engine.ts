/**
 * The interpreter of JavaScript tracers, as the core sees it, and the place where the shell puts
 * it. The interpreter must be deterministic: the same source and `ask` results give the same
 * output, and limits are reached at the same point. Otherwise replays would differ.
 */
import type { Loadable } from '../../data/loadable.ts'
import { SimError } from '../../errors.ts'

/** The arguments of a script's functions; numbers are safe integers. */
export type ScriptValue = string | number | undefined

/** Answers a script's query; an exception ends the script and reaches the caller unchanged. */
export type Ask = (what: string, args: readonly string[]) => string

export type ScriptEngine = {
  /**
   * Runs `sources` in a new realm, then calls the value of the last one with `ask`. The returned
   * object is the realm's object. `share` (0 to 1) is the realm's part of the maximum work of a
   * script. Throws `ScriptStopped`.
   */
  readonly open: (sources: readonly string[], ask: Ask, share?: number) => Realm
  /** The sources around a tracer, in the order in which they run: `removals`, the library `bigInt`, `prelude`. */
  readonly surroundings: readonly string[]
}

/** A realm; call `close` to free it. */
export type Realm = {
  /** Calls a function of the realm's object and returns its string. Throws `ScriptStopped`. */
  readonly call: (name: string, args: readonly ScriptValue[]) => string
  readonly close: () => void
}

/** The interpreter, loaded on first use. */
export type Scripts = Loadable<ScriptEngine>

/** A script reached a limit of time or memory; the text is the node's. */
export class ScriptStopped extends SimError {
  constructor(text: string) {
    super('SCRIPT_STOPPED', text)
  }
}

/** A script failed or is not a tracer; the text is the node's, if known. */
export class ScriptFailed extends SimError {
  constructor(text: string) {
    super('SCRIPT_FAILED', text)
  }
}
