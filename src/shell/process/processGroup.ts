/** A program and its child processes, as a process group that ends as a whole. */
import { spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process'
import spawn from 'cross-spawn'

export type ProcessGroup = {
  /** The program itself, the leader of its group. */
  readonly leader: ChildProcess
  /** Sends a signal to the whole group. A second call, or a delay of five seconds, kills it. */
  readonly end: (signal: NodeJS.Signals) => void
  /** Resolves when no process of an ended group is left; kills those that outlive the leader. */
  readonly gone: () => Promise<void>
}

const isWindows = process.platform === 'win32'
const leaderGraceMs = 5000
const stragglerGraceMs = 2000
const pollMs = 20

/**
 * Starts a program as the leader of a new process group. A terminal therefore sends Ctrl-C to this
 * process alone, which passes it on. The group ends when this process exits. On Windows,
 * cross-spawn finds scripts like `npm.cmd`, which Node does not start by name.
 */
export function spawnGroup(program: string, words: readonly string[], options: SpawnOptions): ProcessGroup {
  const leader = spawn(program, words, { ...options, detached: !isWindows })
  const { pid } = leader
  let killing: NodeJS.Timeout | undefined
  const signalAll = (signal: NodeJS.Signals) => {
    if (pid !== undefined) signalGroup(pid, signal)
  }
  const atExit = () => signalAll('SIGTERM')
  process.once('exit', atExit)
  const settle = () => {
    clearTimeout(killing)
    process.off('exit', atExit)
  }
  leader.once('error', settle)
  leader.once('exit', settle)
  return {
    leader,
    end: (signal) => {
      signalAll(killing === undefined ? signal : 'SIGKILL')
      killing ??= setTimeout(() => signalAll('SIGKILL'), leaderGraceMs)
    },
    gone: async () => {
      if (pid === undefined || killing === undefined) return
      for (let ms = 0; ms < stragglerGraceMs && hasMembers(pid); ms += pollMs) {
        await new Promise((done) => {
          setTimeout(done, pollMs)
        })
      }
      signalAll('SIGKILL')
    },
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (isWindows && spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']).status === 0) return
  try {
    // Where taskkill is missing or refuses, at least the leader ends.
    process.kill(isWindows ? pid : -pid, signal)
  } catch {
    // Every process of the group has ended.
  }
}

function hasMembers(pid: number): boolean {
  if (isWindows) return false
  try {
    return process.kill(-pid, 0)
  } catch {
    return false
  }
}
