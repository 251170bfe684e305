/** An instruction as geth's struct logger writes it, in `debug_traceTransaction` and its like. `gas` is what was left. */
export type StructLog = {
  readonly pc: number
  readonly op: string
  readonly gas: number
  readonly gasCost: number
  readonly depth: number
  readonly stack?: readonly string[]
  readonly memory?: readonly string[]
  readonly error?: string
}
