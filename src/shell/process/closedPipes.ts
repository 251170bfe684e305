/**
 * Discards output after its reader has closed the pipe, as in `chainstage methods | head`. The
 * command runs to its end and returns its exit code. Any other output error exits with code 1.
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
