/**
 * The path of the engine's binary, relative to the package root. The compiler does not copy it to
 * `dist/`, so the shell and the tests read it from the sources.
 */
export const wasmPath = 'src/evm/evm.wasm'
