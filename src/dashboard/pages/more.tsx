/** Less frequent controls: reorgs, saved scenarios, ABIs, sessions and shutdown. */
import { post, remove, session } from '../core/api.ts'
import { close, confirm, open } from '../core/dialog.tsx'
import { refresh } from '../core/live.ts'
import { run } from '../core/said.ts'
import { openAbi, openReorg } from './forms.tsx'

const changes: Readonly<Record<string, string>> = {
  none: 'No changes',
  live: 'Reloaded',
  kept: 'Reloaded; the chain is unchanged',
  restart: 'Reloaded; the chain restarts from genesis',
  rebased: 'Reloaded; earlier inputs were replayed on the new genesis',
}

/** Asks for confirmation, then reloads the scenario or undoes the last reload. */
function askReload(undo: boolean): void {
  const files = undo ? 'The files from before the last reload' : 'The saved scenario files'
  confirm(undo ? 'Undo the last reload' : 'Reload the scenario', {
    text: `${files} will be applied. If they change the genesis, the chain may restart and lose its blocks.`,
    verb: undo ? 'Undo' : 'Reload',
    act: () =>
      run(
        post<{ change: string; generation: number }>('/reload', { undo }),
        ({ change, generation }) => `${changes[change] ?? change}; generation ${generation}.`,
      ),
  })
}

/** Creates a session and opens its page. */
export async function newSession(): Promise<void> {
  const isDone = await run(
    post<{ session: string }>('/sessions').then((made) => {
      location.href = `/s/${made.session}/`
    }),
    () => 'Created a session.',
  )
  if (isDone) close()
}

function endSession(): void {
  confirm('End this session', {
    text: `The chain of session ${session} and everything on it will be deleted.`,
    verb: 'End session',
    act: async () => {
      if (await run(remove(`/sessions/${session}`), () => `Ended session ${session}.`)) location.href = '/'
    },
  })
}

function reset(): void {
  confirm('Reset the chain', {
    text: 'Chain, mempool, clock, filters and checkpoints will return to their state after the start.',
    verb: 'Reset',
    act: () =>
      run(post<{ height: number }>('/reset'), ({ height }) => `Reset the chain to height ${height}.`).then(refresh),
  })
}

function stop(): void {
  confirm('Stop the server', {
    text: 'All chains and sessions of this process will end.',
    verb: 'Stop',
    act: () =>
      run(post<{ stopping: boolean }>('/stop'), ({ stopping }) =>
        stopping ? 'The server is stopping.' : 'The server runs inside a program. Stop it from that program.',
      ),
  })
}

/** Opens the list of less frequent controls. */
export function openMore(): void {
  open(
    'More',
    <div class="stack">
      <h3>Scenario</h3>
      <div class="formrow">
        <button type="button" onClick={() => askReload(false)}>
          Reload the saved scenario…
        </button>
        <button type="button" onClick={() => askReload(true)}>
          Undo the last reload…
        </button>
      </div>
      <h3>Chain</h3>
      <div class="formrow">
        <button type="button" onClick={openReorg}>
          Reorg…
        </button>
        <button type="button" onClick={reset}>
          Reset…
        </button>
        <button type="button" onClick={openAbi}>
          Add an ABI…
        </button>
      </div>
      <h3>Sessions</h3>
      <div class="formrow">
        <button type="button" onClick={() => void newSession()}>
          New session
        </button>
        {session === '' ? null : (
          <button type="button" onClick={endSession}>
            End this session…
          </button>
        )}
      </div>
      <h3>Process</h3>
      <div class="formrow">
        <button type="button" onClick={stop}>
          Stop the server…
        </button>
      </div>
    </div>,
  )
}
