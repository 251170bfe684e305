/** The storage of a contract by slot. */
import { useState } from 'preact/hooks'
import { call } from '../core/api.ts'
import { Empty, Short } from '../parts/basics.tsx'
import { Table } from '../parts/Table.tsx'

type Slot = { readonly slot: string; readonly value: string }

/** Shows the storage slots that the user reads, and a button for the first ten. */
export function Storage({ address }: { address: string }) {
  const [rows, setRows] = useState<readonly Slot[]>([])
  const [error, setError] = useState('')
  const read = async (slots: readonly string[]) => {
    try {
      const values = await Promise.all(
        slots.map((slot) => call<string>('eth', 'eth_getStorageAt', [address, slot, 'latest'])),
      )
      setRows((before) => [
        ...slots.map((slot, index) => ({ slot, value: values[index] ?? '' })),
        ...before.filter(({ slot }) => !slots.includes(slot)),
      ])
      setError('')
    } catch (failure) {
      setError((failure as Error).message)
    }
  }
  return (
    <>
      <form
        class="formrow"
        aria-label="Read a storage slot"
        onSubmit={(event) => {
          event.preventDefault()
          const asked = String(new FormData(event.currentTarget).get('slot') ?? '')
          void read([/^\d+$/.test(asked) ? `0x${BigInt(asked).toString(16)}` : asked])
        }}
      >
        <label>
          Slot
          <input name="slot" class="mono long" placeholder="0x0 or 7" required />
        </label>
        <button>Read</button>
        <button type="button" onClick={() => void read(Array.from({ length: 10 }, (_, at) => `0x${at.toString(16)}`))}>
          Read the first ten slots
        </button>
      </form>
      {error === '' ? null : (
        <p class="fail" role="alert">
          {error}
        </p>
      )}
      {rows.length === 0 ? (
        <Empty title="No slots read yet">Enter a slot, or read the first ten.</Empty>
      ) : (
        <Table
          label="Storage"
          rows={rows}
          keyOf={({ slot }) => slot}
          empty={['No slots']}
          columns={[
            { title: 'Slot', show: ({ slot }) => <Short text={slot} head={12} /> },
            { title: 'Value', class: 'mono break', show: ({ value }) => value },
          ]}
        />
      )}
    </>
  )
}
