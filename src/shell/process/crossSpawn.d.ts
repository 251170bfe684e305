declare module 'cross-spawn' {
  import type { ChildProcess, SpawnOptions } from 'node:child_process'
  /** Starts a program as `node:child_process` does; on Windows, also scripts like `npm.cmd`. */
  const spawn: (program: string, words: readonly string[], options: SpawnOptions) => ChildProcess
  export default spawn
}
