/**
 * The part of the WebAssembly API that the engine uses. TypeScript includes it only in its DOM
 * library.
 */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }

  class Memory {
    constructor(limits: { initial: number; maximum: number })
    readonly buffer: ArrayBuffer
  }

  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>)
    readonly exports: unknown
  }

  class RuntimeError extends Error {}
}
