import type { Side } from '../settings/side.ts'

/** A call that the scenario itself makes; `params` is JSON text. */
export type ScenarioCall = { readonly side: Side; readonly method: string; readonly params: string }
