import type { Side } from '../settings/side.ts'

/** A call that the scenario itself makes; `params` is JSON text. */
export type Asked = { readonly side: Side; readonly method: string; readonly params: string }
