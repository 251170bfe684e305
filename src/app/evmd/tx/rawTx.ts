import { ProtowireError, tagAt, valueEnd, varintAt } from '../../../codec/protobuf/protowire.ts'
import { ProtobufError } from '../../../codec/protobuf/wire.ts'

/**
 * Checks that bytes are a `TxRaw` in the unique encoding of ADR-027: byte fields in ascending order
 * with the shortest length prefixes. Throws the SDK's error.
 */
export function checkRawTx(bytes: Uint8Array): void {
  try {
    checkFields(bytes)
  } catch (error) {
    if (!(error instanceof ProtowireError)) throw error
    throw new ProtobufError(`invalid length; ${error.message}`)
  }
}

function checkFields(bytes: Uint8Array): void {
  let last = 0
  for (let at = 0; at < bytes.length; ) {
    const tag = tagAt(bytes, at)
    const { number, wireType } = tag
    if (wireType !== 2) throw new ProtobufError(`expected 2 wire type, got ${wireType}`)
    if (number < last) {
      throw new ProtobufError(`txRaw must follow ADR-027, got tagNum ${number} after tagNum ${last}`)
    }
    last = number
    const length = varintAt(bytes, tag.end)
    const [read, needed] = [length.end - tag.end, shortest(length.value)]
    if (read !== needed) {
      throw new ProtobufError(
        `length prefix varint for tagNum ${number} is not as short as ` + `possible, read ${read}, only need ${needed}`,
      )
    }
    at = valueEnd(bytes, tag)
  }
}

function shortest(value: bigint): number {
  return Math.max(1, Math.ceil(value.toString(2).length / 7))
}
