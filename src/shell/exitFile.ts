/** The file in which a detached process leaves its exit code. */
import { writeFileAtExit } from './durable/writeFile.ts'

/** Returns the path of the file with the exit code of a detached process, whose log is `log`. */
export function exitFileOf(log: string): string {
  return `${log}.exit`
}

/** The environment variable for the file in which a detached process leaves its exit code. */
export const exitFile = 'CHAINSTAGE_EXIT_FILE'

/**
 * Makes a detached process write its exit code to a file at exit, for `instances stop`. Returns whether
 * this process is detached.
 */
export function leaveExitCode(): boolean {
  const path = process.env[exitFile]
  if (path !== undefined)
    process.on('exit', (code) => {
      try {
        writeFileAtExit(path, String(code))
      } catch (error) {
        // The code is then unknown to `instances stop`; this process still exits with it.
        process.stderr.write(`${String(error)}\n`)
      }
    })
  return path !== undefined
}
