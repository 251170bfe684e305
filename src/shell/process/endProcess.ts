/** The end of the command's process. */
let isOver = false

/**
 * Ends the process with an exit code, after its output has left. Nothing else is waited for: a scenario
 * as a module may have left a timer or a socket open, which would keep the process alive for ever.
 */
export async function endProcess(code: number): Promise<never> {
  isOver = true
  await Promise.all([process.stdout, process.stderr].map(sent))
  // A full disk is told one turn after the write; `surviveClosedPipes` then ends the process with 1.
  await new Promise((done) => setImmediate(done))
  process.exit(code)
}

function sent(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((done) => {
    if (stream.destroyed || stream.writableLength === 0) done()
    else stream.write('', () => done())
  })
}

/**
 * Lets a process that ends before its command is over say so and fail. Node ends a process when nothing
 * is left that could happen, whatever still waits for a promise.
 */
export function watchForEnd(): void {
  process.once('exit', (code) => {
    if (isOver || (code !== 0 && code !== unsettledAwait)) return
    process.stderr.write('A bug in chainstage: the process ended before its command was over\n')
    process.exitCode = 70
  })
}

/** The exit code of Node for an `await` at the top level that can never end. */
const unsettledAwait = 13
