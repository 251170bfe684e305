import { ProtobufError } from '../../../codec/protobuf/wire.ts'

/**
 * Throws what the SDK says of bytes that are not the one encoding of a `TxRaw` that ADR-027 allows:
 * fields of bytes in ascending order with shortest lengths.
 */
export function checkRawTx(bytes: Uint8Array): void {
  let last = 0
  for (let at = 0; at < bytes.length;) {
    const tag = readVarint(bytes, at)
    const number = tag.value >> 3n
    if (number < 1n || number > 0x1fff_ffffn) throw invalidLength(protoText('invalid field number'))
    const wireType = Number(tag.value & 7n)
    if (wireType !== 2) throw new ProtobufError(`expected 2 wire type, got ${wireType}`)
    if (Number(number) < last) {
      throw new ProtobufError('txRaw must follow ascending ordering of field numbers, got ' +
        `tagNum ${number} after tagNum ${last}`)
    }
    last = Number(number)
    const length = readVarint(bytes, tag.end)
    const needed = shortest(length.value)
    if (length.end - tag.end !== needed) {
      throw new ProtobufError(`length prefix varint for tagNum ${number} is not as short as possible, ` +
        `read ${length.end - tag.end}, only need ${needed}`)
    }
    at = length.end + Number(length.value)
    if (at > bytes.length) throw invalidLength('unexpected EOF')
  }
}

function readVarint(bytes: Uint8Array, start: number): { value: bigint; end: number } {
  let value = 0n
  for (let at = start; at < start + 10; at++) {
    const byte = bytes[at]
    if (byte === undefined) throw invalidLength('unexpected EOF')
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - start))
    if (byte < 0x80) return { value, end: at + 1 }
  }
  throw invalidLength(protoText('variable length integer overflow'))
}

function shortest(value: bigint): number {
  return Math.max(1, Math.ceil(value.toString(2).length / 7))
}

function invalidLength(text: string): ProtobufError {
  return new ProtobufError(`invalid length; ${text}`)
}

/** Go's protobuf puts a no-break space after its name, so that nobody depends on its texts. */
function protoText(problem: string): string {
  return `proto:\u00a0${problem}`
}
