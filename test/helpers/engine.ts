/** The engine for tests, compiled once for each process. */
import { readFileSync } from 'node:fs'
import { createEngine, type Engine } from '../../src/evm/engine.ts'
import { wasmPath } from '../../src/evm/wasmPath.ts'

const root = new URL('../../../', import.meta.url)
let compiled: WebAssembly.Module | undefined

/** Returns the engine's compiled module. */
export function engineModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(new URL(wasmPath, root)))
  return compiled
}

/** Returns a fresh engine over the compiled module. */
export function testEngine(): Engine {
  return createEngine(engineModule())
}
