/**
 * gRPC messages on the wire. A five-byte prefix precedes each message:
 *
 *     00          flag: 1 if the message is compressed
 *     00 00 00 0a length of the message, big-endian
 *     …           the message
 */
import { BadGzip, gunzip, GzipTooLarge } from '../../codec/gzip.ts'
import { concatBytes } from '../../data/bytes.ts'
import { grpcCodes, earlyStatus } from '../../app/grpcStatus.ts'

const headBytes = 5

/** Returns messages with their prefixes. */
export function writeFrames(messages: readonly Uint8Array[], flag = 0): Uint8Array {
  return concatBytes(
    messages.flatMap((message) => {
      const head = new Uint8Array(headBytes)
      head[0] = flag
      new DataView(head.buffer).setUint32(1, message.length)
      return [head, message]
    }),
  )
}

/**
 * Returns the length of the first frame in bytes, or undefined if its prefix is incomplete. For a
 * message longer than `most`, which is refused unread, it is the length of the prefix alone.
 */
export function frameLength(bytes: Uint8Array, most: number): number | undefined {
  if (bytes.length < headBytes) return undefined
  const length = lengthIn(bytes)
  return length > most ? headBytes : headBytes + length
}

function lengthIn(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(1)
}

export type Limits = { readonly most: number; readonly encoding: string }

/**
 * Returns the first message of some frames, or undefined if there is none. Throws the error of the
 * node's gRPC server (google.golang.org/grpc rpc_util.go recvMsg and checkRecvPayload).
 */
export function readFrame(frames: Uint8Array, { most, encoding }: Limits): Uint8Array | undefined {
  if (frames.length === 0) return undefined
  if (frames.length < headBytes) throw earlyStatus(grpcCodes.unknown, 'EOF')
  const length = lengthIn(frames)
  if (length > most) {
    throw earlyStatus(grpcCodes.resourceExhausted, `grpc: received message larger than max (${length} vs. ${most})`)
  }
  const message = frames.subarray(headBytes, headBytes + length)
  if (message.length < length) throw earlyStatus(grpcCodes.unknown, 'unexpected EOF')
  if (frames[0] === 0) return message
  if (frames[0] !== 1) {
    throw earlyStatus(grpcCodes.internal, `grpc: received unexpected payload format ${frames[0]}`)
  }
  if (encoding !== 'gzip') {
    throw earlyStatus(grpcCodes.internal, 'grpc: compressed flag set with identity or empty encoding')
  }
  return unpacked(message, most)
}

function unpacked(message: Uint8Array, most: number): Uint8Array {
  try {
    return gunzip(message, most)
  } catch (error) {
    if (error instanceof GzipTooLarge) {
      throw earlyStatus(
        grpcCodes.resourceExhausted,
        `grpc: received message after decompression larger than max ${most}`,
      )
    }
    if (!(error instanceof BadGzip)) throw error
    throw earlyStatus(grpcCodes.internal, `grpc: failed to decompress the received message: ${error.message}`)
  }
}
