/**
 * Damages gRPC messages so that they do not match their five-byte header (flag and length):
 *
 *     chunk          the flag says that the message is compressed, but it is not
 *     utf8           invalid UTF-8 is inserted in the middle of the message
 *     contentLength  the length is larger than the message
 */
import type { WireEffect } from '../../node/output.ts'

type Damage = Extract<WireEffect, { type: 'framing' }>['damage']

const headBytes = 5
const noUtf8 = Buffer.from([0xff, 0xfe])

/** Returns the damaged frame of a message. */
export function brokenFrame(frame: Buffer, damage: Damage): Buffer {
  const broken = Buffer.from(frame)
  if (broken.length < headBytes) return broken
  switch (damage) {
    case 'chunk':
      broken[0] = 1
      return broken
    case 'contentLength':
      broken.writeUInt32BE(broken.readUInt32BE(1) + 10, 1)
      return broken
    case 'utf8': {
      const middle = headBytes + Math.floor((broken.length - headBytes) / 2)
      broken.writeUInt32BE(broken.readUInt32BE(1) + noUtf8.length, 1)
      return Buffer.concat([broken.subarray(0, middle), noUtf8, broken.subarray(middle)])
    }
  }
}

/** Returns the first half of `bytes`, rounded up. */
export function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.ceil(bytes.length / 2))
}
