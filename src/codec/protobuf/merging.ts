import { concatBytes } from '../../data/bytes.ts'
import { readFields, type WireField } from './wire.ts'

type Merged = {
  readonly number: number
  readonly name: string
  readonly type: { read(field: WireField): unknown }
}

/**
 * Merges the occurrences of single messages in the bytes of the message `value`: the fields of all
 * count, as if one message held them.
 */
export function merge(value: Record<string, unknown>, bytes: Uint8Array, entries: readonly Merged[]): void {
  const fields = readFields(bytes)
  for (const { number, name, type } of entries) {
    const parts = fields.flatMap((each) => (each.number === number && each.wireType === 2 ? [each.value] : []))
    if (parts.length > 1) value[name] = type.read({ number, wireType: 2, value: concatBytes(parts) })
  }
}
