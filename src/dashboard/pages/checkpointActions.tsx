/** Takes and restores checkpoints, and saves and loads them as files. */
import { post } from '../core/api.ts'
import { confirm, open } from '../core/dialog.tsx'
import { number } from '../core/format.ts'
import { refresh, status } from '../core/live.ts'
import { run } from '../core/said.ts'
import { Form } from '../parts/Form.tsx'

type Stood = { readonly id: string; readonly height: number }

/** Takes a checkpoint. */
export function takeCheckpoint(): Promise<boolean> {
  return run(post<Stood>('/checkpoint'), ({ id, height }) => `Took checkpoint ${id} at height ${height}.`)
}

/** Asks for confirmation, then restores the newest checkpoint. */
export function restoreNewest(): void {
  restore()
}

/** Asks for confirmation, then restores a checkpoint, by default the newest. */
export function restore(id?: string, height?: number): void {
  confirm('Restore a checkpoint', {
    text: `${id === undefined ? 'The newest checkpoint' : `Checkpoint ${id}`}${
      height === undefined ? '' : ` at height ${number(height)}`
    } will be restored. Later blocks, this checkpoint and all later checkpoints will be lost.`,
    verb: 'Restore',
    act: () =>
      run(
        post<Stood>('/restore', id === undefined ? {} : { id }),
        (at) => `Restored checkpoint ${at.id} at height ${at.height}.`,
      ),
  })
}

/** Asks for a file name and saves the whole node to that file. */
export function openSave(): void {
  open(
    'Save the node',
    <Form
      verb="Save"
      act={async (field) => {
        const { name, height } = await post<{ name: string; height: number }>('/checkpoints/saved', {
          name: field('name'),
        })
        refresh()
        return `Saved height ${height} as "${name}".`
      }}
    >
      <p class="hint">The file contains the whole node. You can load it any number of times, even after a restart.</p>
      <label>
        Name
        <input name="name" class="long" required defaultValue={`height-${status.value?.height ?? 0}`} />
      </label>
    </Form>,
  )
}

/** Asks for confirmation, then replaces the chain with a saved checkpoint. */
export function loadSaved(name: string): void {
  confirm('Load a saved checkpoint', {
    text: `The node will be replaced by the saved checkpoint "${name}". Its current state will be lost.`,
    verb: 'Load',
    act: () => run(post<Stood>('/checkpoints/load', { name }), ({ height }) => `Loaded "${name}" at height ${height}.`),
  })
}
