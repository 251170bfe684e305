/** Time travel: the ruler of block time, checkpoints, and checkpoints saved in files. */
import { moment, number } from '../core/format.ts'
import type { Checkpoint } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { Pending } from '../parts/basics.tsx'
import { Table } from '../parts/Table.tsx'
import { loadSaved, openSave, restore } from './checkpointActions.tsx'
import { Ruler } from './Ruler.tsx'

type Saved = {
  readonly name: string
  readonly height?: number
  readonly chainId?: string
  readonly version?: string
  readonly problem?: string
}

export function Time() {
  const { data, error } = useData<readonly Checkpoint[]>('/checkpoints')
  const saved = useData<readonly Saved[]>('/checkpoints/saved')
  if (data === undefined) return <Pending error={error} />
  return (
    <>
      <Ruler checkpoints={data} />
      <h2>Checkpoints</h2>
      <p class="hint">Restoring a checkpoint removes that checkpoint and all later ones.</p>
      <Table
        label="Checkpoints"
        rows={data.toReversed()}
        keyOf={({ id }) => id}
        empty={[
          'No checkpoints',
          <>
            Press <kbd>c</kbd> to take one.
          </>,
        ]}
        columns={[
          { title: 'ID', class: 'mono', show: ({ id }) => id },
          { title: 'Height', class: 'num', show: ({ height }) => number(height) },
          { title: 'Block time (UTC)', show: ({ time }) => moment(time) },
          { title: 'Mempool', class: 'num', show: ({ waiting }) => number(waiting) },
          {
            title: '',
            show: ({ id, height }) => (
              <button type="button" class="small" data-key={`restore-${id}`} onClick={() => restore(id, height)}>
                Restore…<span class="hidden"> {id}</span>
              </button>
            ),
          },
        ]}
      />
      <h2>Files</h2>
      <div class="formrow">
        <button type="button" data-key="save" onClick={openSave}>
          Save the node…
        </button>
      </div>
      <Table
        label="Saved checkpoints"
        rows={saved.data ?? []}
        keyOf={({ name }) => name}
        empty={['No saved checkpoints', 'A file contains the whole node and remains when the process ends.']}
        columns={[
          { title: 'Name', class: 'mono', show: ({ name }) => name },
          { title: 'Height', class: 'num', show: ({ height }) => (height === undefined ? null : number(height)) },
          { title: 'Chain', show: ({ chainId }) => chainId },
          { title: 'Version', show: ({ version, problem }) => problem ?? version },
          {
            title: '',
            show: ({ name, problem }) =>
              problem === undefined ? (
                <button type="button" class="small" data-key={`load-${name}`} onClick={() => loadSaved(name)}>
                  Load…<span class="hidden"> {name}</span>
                </button>
              ) : null,
          },
        ]}
      />
    </>
  )
}
