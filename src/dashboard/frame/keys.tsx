/** Keyboard shortcuts; a control without one is reached with Tab. */
import { open } from '../core/dialog.tsx'
import { go } from '../core/router.ts'
import { restoreNewest, takeCheckpoint } from '../pages/checkpointActions.tsx'
import { openFault } from '../pages/faultForm.tsx'
import { mine } from './Controls.tsx'
import { openMore } from '../pages/more.tsx'
import { listed } from './pages.tsx'

const keys: Readonly<Record<string, () => unknown>> = {
  m: () => mine(1),
  c: takeCheckpoint,
  r: restoreNewest,
  f: openFault,
  o: openMore,
  '/': () => document.getElementById('search')?.focus(),
  '?': openKeys,
}

/** Listens for shortcuts pressed outside fields and dialogs. */
export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (document.querySelector('dialog[open]') !== null) return
    const target = event.target as Element
    if (target.closest('input, textarea, select') !== null) return
    const page = listed.find(({ key }) => key === event.key)
    if (page !== undefined) go(page.id)
    else if (Object.hasOwn(keys, event.key)) {
      event.preventDefault()
      keys[event.key]?.()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveInTable(event, target)
    else if (event.key === 'Escape') getSelection()?.removeAllRanges()
  })
}

/** Moves the focus from a link or button in one table row to the first one in the next row. */
function moveInTable(event: KeyboardEvent, target: Element): void {
  const row = target.closest('tbody tr')
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  const goal = next?.querySelector<HTMLElement>('a, button')
  if (goal === null || goal === undefined) return
  event.preventDefault()
  goal.focus()
}

/** Opens the list of shortcuts. */
export function openKeys(): void {
  const rows: readonly (readonly [string, string])[] = [
    ['/', 'search'],
    ['1 … 9, 0', 'open one of the first ten pages'],
    ['m', 'mine a block'],
    ['c', 'take a checkpoint'],
    ['r', 'restore the newest checkpoint'],
    ['f', 'create a fault'],
    ['o', 'open more actions: reorg, reload, ABIs, sessions, stop'],
    ['↑ ↓', 'move between table rows'],
    ['← →', 'switch tabs'],
    ['Enter', 'open the focused item'],
    ['Esc', 'close the dialog or clear the selection'],
    ['?', 'show this list'],
  ]
  open(
    'Keyboard shortcuts',
    <dl class="fields">
      {rows.map(([key, does]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>,
  )
}
