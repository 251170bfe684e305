/**
 * Where the engine's binary lies, relative to the package root: the compiler does not copy it to
 * `dist/`, so the shell and the tests read it from the sources.
 */
export const wasmPath = 'src/evm/evm.wasm'
