/** Moves block time forward. */
import { post } from '../core/api.ts'
import { open } from '../core/dialog.tsx'
import { run } from '../core/said.ts'
import { Form } from '../parts/Form.tsx'

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/** Returns a time in milliseconds as a duration such as `1h20m`, in its two largest units. */
export function spanText(ms: number): string {
  let rest = Math.round(ms / 1000)
  const parts: string[] = []
  for (const [unit, seconds] of units) {
    const count = Math.floor(rest / seconds)
    rest -= count * seconds
    if (count > 0) parts.push(`${count}${unit}`)
  }
  return parts.slice(0, 2).join('') || '0s'
}

function movedText(by: string, height: number, mines: boolean): string {
  return `Moved block time forward by ${by}, starting with block ${mines ? height : height + 1}.`
}

/** Moves block time forward by a duration; `mines` mines a block with the new time. */
export function moveTime(by: string, mines: boolean): Promise<boolean> {
  return run(post<{ height: number }>('/time', { by, mine: mines }), ({ height }) => movedText(by, height, mines))
}

/** Asks for confirmation of a move of block time, which only a checkpoint can undo. */
export function openMove(by: string): void {
  open(
    'Move block time',
    <Form
      verb="Move time"
      act={async (field) => {
        const mines = field('mine') !== ''
        const taken = field('checkpoint') === '' ? undefined : await post<{ id: string }>('/checkpoint')
        const { height } = await post<{ height: number }>('/time', { by: field('by'), mine: mines })
        const undo = taken === undefined ? '' : ` Restore checkpoint ${taken.id} to undo it.`
        return `${movedText(field('by'), height, mines)}${undo}`
      }}
    >
      <label>
        Forward by
        <input name="by" class="short" defaultValue={by} required />
      </label>
      <label class="check">
        <input name="mine" type="checkbox" defaultChecked />
        Mine a block
      </label>
      <label class="check">
        <input name="checkpoint" type="checkbox" defaultChecked />
        Take a checkpoint first, to undo the move
      </label>
    </Form>,
  )
}
