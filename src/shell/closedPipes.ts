/**
 * Drops what is printed after a reader has gone, as in `chainstage methods | head`: the command goes
 * on to its end, and its exit code counts. Any other failure to print ends it with code 1.
 */
export function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return
      if (stream === process.stdout) {
        process.stderr.write(`cannot write to stdout: ${error.message}\n`)
      }
      process.exit(1)
    })
  }
}
