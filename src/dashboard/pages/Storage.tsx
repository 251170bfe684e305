/** The storage of a contract: the slots that it has written, and any slot on demand. */
import { useState } from 'preact/hooks'
import { call } from '../core/api.ts'
import { number, quantity } from '../core/format.ts'
import { linkTo } from '../core/router.ts'
import { useData } from '../core/useData.ts'
import { Pending, Short } from '../parts/basics.tsx'
import { SlicePager, pageSize } from '../parts/PageLinks.tsx'
import { Table } from '../parts/Table.tsx'

type Slot = { readonly slot: string; readonly value: string }

type Given = {
  /** The address as the URL spells it. */
  readonly id: string
  readonly address: string
  readonly from: number
}

export function Storage({ id, address, from }: Given) {
  return (
    <>
      <UsedSlots id={id} address={address} from={from} />
      <h2>Read a slot</h2>
      <SlotReader address={address} />
    </>
  )
}

type Used = { readonly total: number; readonly rows: readonly Slot[] }

function UsedSlots({ id, address, from }: Given) {
  const { data, error } = useData<Used>(`/addresses/${address}/storage?from=${from}&limit=${pageSize}`, 'slowly')
  if (data === undefined) return <Pending error={error} />
  return (
    <>
      <SlicePager
        from={from}
        total={data.total}
        link={(query) => linkTo('address', id, { tab: 'storage', ...query })}
      />
      <SlotTable
        rows={data.rows}
        label="Used slots"
        empty={['No slots', 'The contract has not written its storage.']}
      />
    </>
  )
}

type Listed = { readonly rows: readonly Slot[]; readonly label: string; readonly empty: readonly [string, string] }

function SlotTable({ rows, label, empty }: Listed) {
  return (
    <Table
      label={label}
      rows={rows}
      keyOf={({ slot }) => slot}
      empty={empty}
      columns={[
        { title: 'Slot', show: ({ slot }) => <Short text={slot} head={12} /> },
        { title: 'Value', class: 'mono break', show: ({ value }) => value },
        { title: 'Decimal', class: 'num', show: ({ value }) => decimalOf(value) },
      ]}
    />
  )
}

/** Returns a word as a decimal number, or null if it is too large to be an amount or a counter. */
function decimalOf(word: string): string | null {
  const value = BigInt(word)
  return value < 10n ** 30n ? number(value) : null
}

/** Returns a slot as hex; undefined for other text, which the node would read as some slot. */
function slotOf(text: string): string | undefined {
  const slot = quantity(text)
  return slot !== undefined && BigInt(slot) < 2n ** 256n ? slot : undefined
}

/** Shows the storage slots that the user reads, and a button for the first ten. */
function SlotReader({ address }: { address: string }) {
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
          const asked = String(new FormData(event.currentTarget).get('slot') ?? '').trim()
          const slot = slotOf(asked)
          if (slot !== undefined) void read([slot])
          else setError(`Expected a slot such as 7 or 0x7 of at most 32 bytes, received "${asked}".`)
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
      {rows.length === 0 ? null : <SlotTable rows={rows} label="Storage" empty={['No slots', '']} />}
    </>
  )
}
