/** The most frequent controls: mining, block time, checkpoints and faults. */
import { post } from '../core/api.ts'
import { counted, number } from '../core/format.ts'
import { status } from '../core/live.ts'
import { run } from '../core/said.ts'
import { restoreNewest, takeCheckpoint } from '../pages/checkpointActions.tsx'
import { openFault } from '../pages/faultForm.tsx'
import { openFaucet, openSignal } from '../pages/forms.tsx'
import { openMore } from '../pages/more.tsx'
import { moveTime } from '../pages/moveTime.tsx'

/** Returns the value of a form field as text. */
export function fieldOf(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? '')
}

/** Whether the last mining job was stopped with the button. */
let isStopped = false

/** Mines blocks whose timestamps are `interval` apart. */
export function mine(blocks: number, interval = ''): Promise<boolean> {
  isStopped = false
  return run(post<{ height: number }>('/mine', { blocks, ...(interval === '' ? {} : { interval }) }), ({ height }) =>
    isStopped ? `Stopped mining at height ${height}.` : `Mined ${counted(blocks, 'block')} up to height ${height}.`,
  )
}

function stopMining(): void {
  isStopped = true
  void run(post<{ height: number }>('/mine/stop'), ({ height }) => `Stopped mining at height ${height}.`)
}

/** Shows the progress of a mining job that takes longer than a moment. */
function Mining() {
  const [job] = status.value?.mining ?? []
  if (job === undefined) return null
  const text = `Mined ${number(job.mined)} of ${counted(job.asked, 'block')}`
  return (
    <div id="mining" class="formrow" role="group" aria-label="Mining progress">
      <progress max={job.asked} value={job.mined} aria-label={text} />
      <span>{text}</span>
      <button type="button" onClick={stopMining}>
        Stop mining
      </button>
    </div>
  )
}

export function Controls() {
  return (
    <section id="controls" aria-label="Controls">
      <form
        aria-label="Mine blocks"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          void mine(Number(fieldOf(form, 'blocks')), fieldOf(form, 'interval'))
        }}
      >
        <label>
          Blocks
          <input name="blocks" type="number" min={1} max={1000000} defaultValue="1" required />
        </label>
        <label>
          Interval
          <input name="interval" class="short" placeholder="1s" />
        </label>
        <button class="main" aria-keyshortcuts="m" title="Key m">
          Mine
        </button>
      </form>
      <form
        aria-label="Move block time"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          void moveTime(fieldOf(form, 'by'), fieldOf(form, 'mine') !== '')
        }}
      >
        <label>
          Time
          <input name="by" class="short" defaultValue="1h" required />
        </label>
        <label class="check">
          <input name="mine" type="checkbox" defaultChecked />
          Mine a block
        </label>
        <button>Move time</button>
      </form>
      <div class="formrow">
        <button type="button" aria-keyshortcuts="c" title="Key c" onClick={() => void takeCheckpoint()}>
          Checkpoint
        </button>
        <button type="button" aria-keyshortcuts="r" title="Key r" onClick={restoreNewest}>
          Restore
        </button>
        <button type="button" aria-keyshortcuts="f" title="Key f" onClick={() => void openFault()}>
          Fault…
        </button>
        <button type="button" onClick={() => void openSignal()}>
          Signal…
        </button>
        <button type="button" onClick={() => openFaucet()}>
          Faucet…
        </button>
        <button type="button" aria-keyshortcuts="o" title="Key o" onClick={openMore}>
          More…
        </button>
      </div>
      <Mining />
    </section>
  )
}
