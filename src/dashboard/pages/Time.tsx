/** Checkpoints on a timeline of block time, and checkpoints saved in files. */
import { moment, number } from '../core/format.ts'
import { status } from '../core/live.ts'
import type { Checkpoint } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { Pending } from '../parts/basics.tsx'
import { Table } from '../parts/Table.tsx'
import { loadSaved, openSave, restore, takeCheckpoint } from './checkpointActions.tsx'

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

/** A timeline of block time from the oldest checkpoint to now; each mark's title has the height. */
function Ruler({ checkpoints }: { checkpoints: readonly Checkpoint[] }) {
  const now = status.value
  const nowMs = Date.parse(now?.blockTime ?? '')
  const marks = checkpoints.map((one) => ({ ...one, ms: Date.parse(one.time) }))
  const firstMs = Math.min(nowMs, ...marks.map(({ ms }) => ms))
  const spanMs = Math.max(nowMs - firstMs, 1)
  const place = (ms: number) => `${(((ms - firstMs) / spanMs) * 100).toFixed(2)}%`
  return (
    <div class="card ruler">
      <div class="line">
        {marks.map(({ id, height, ms, time }) => (
          <button
            key={id}
            type="button"
            class="mark"
            style={{ left: place(ms) }}
            title={`${id}: height ${number(height)}, ${moment(time)}`}
            aria-label={`Restore checkpoint ${id} at height ${number(height)}`}
            onClick={() => restore(id, height)}
          />
        ))}
        <span class="now" style={{ left: place(nowMs) }} />
      </div>
      <div class="ends">
        <span>{marks.length === 0 ? 'no checkpoints yet' : moment(new Date(firstMs).toISOString())}</span>
        <span>
          now {moment(now?.blockTime ?? null)} · height {number(now?.height ?? 0)}
        </span>
      </div>
      <div class="formrow">
        <button type="button" class="main" onClick={() => void takeCheckpoint()}>
          Take a checkpoint
        </button>
      </div>
    </div>
  )
}
