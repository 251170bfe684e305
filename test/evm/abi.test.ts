import { readFileSync } from 'node:fs'
import test from 'ava'
import {
  envSize,
  putAccount,
  putEnv,
  putReturned,
  putTx,
  returnedSize,
  takeCall,
  takeResult,
  txSize,
} from '../../src/evm/abi.ts'
import type { BufferCursor } from '../../src/evm/memory.ts'
import type { EvmEnv, EvmTx } from '../../src/evm/types.ts'
import { hex, toHex, word } from '../helpers/state.ts'

/** The vectors that `cargo test` reads too: what one half writes, the other must read. */
const lines = readFileSync(new URL('../../../src/evm/engine/abi.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const vectors = new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]))
const filled = (byte: number, length: number): Uint8Array => new Uint8Array(length).fill(byte)

function cursorOf(bytes: Uint8Array): BufferCursor {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), at: 0 }
}

const writes = test.macro((t, name: string, size: number, put: (cursor: BufferCursor) => void) => {
  const cursor = cursorOf(new Uint8Array(size))
  put(cursor)
  t.is(cursor.at, size, 'the size that is reserved is the size that is written')
  t.is(toHex(cursor.bytes), vectors.get(name) ?? '')
})

const env: EvmEnv = {
  fork: 'prague',
  chainId: 262_144n,
  height: 2n,
  timestampSeconds: 3n,
  blockGasLimit: 4n,
  baseFee: 5n,
  memoryLimitBytes: 6,
  blobBaseFee: (1n << 64n) + 7n,
  coinbase: filled(0xc0, 20),
  coldCoinbase: true,
  prevRandao: filled(0xaa, 32),
  relax: { nonce: true, fees: true, nonceBump: true },
  movedPrecompiles: [{ from: filled(0x02, 20), to: filled(0x12, 20) }],
  access: {
    calls: { isClosed: true, except: [filled(0x31, 20)] },
    creations: { isClosed: false, except: [filled(0x32, 20)] },
  },
}
const hosts = [filled(0x08, 20), filled(0x09, 20)]
const tx: EvmTx = {
  type: 4,
  from: filled(0xa1, 20),
  to: filled(0xb1, 20),
  gasLimit: 21_000n,
  gasPrice: (1n << 64n) + 1n,
  priorityFee: 2n,
  value: (1n << 255n) + 3n,
  nonce: 4n,
  blobFeeCap: 5n,
  data: hex('dead'),
  blobHashes: [filled(0x03, 32)],
  accessList: [{ address: filled(0xb2, 20), slots: [filled(0x01, 32), filled(0x02, 32)] }],
  authorizations: [
    { chainId: 1n, address: filled(0xb3, 20), nonce: 6n, authority: filled(0xe1, 20) },
    { chainId: 0n, address: filled(0xb4, 20), nonce: 7n, authority: undefined },
  ],
}
const returned = { status: 'success', gasUsed: 1_000n, output: hex('beef') } as const

test('an env record', writes, 'env', envSize(env, hosts), (cursor) => putEnv(cursor, env, hosts))
test('a tx record', writes, 'tx', txSize(tx), (cursor) => putTx(cursor, tx))
test('an account record', writes, 'account', 72, (cursor) =>
  putAccount(cursor, { balance: (1n << 192n) + 7n, nonce: 8n, codeHash: filled(0xcc, 32) }),
)
test('a returned record', writes, 'returned', returnedSize(returned), (cursor) => putReturned(cursor, returned, 2))

test('a call record is read as the engine writes it', (t) => {
  const bytes = hex(vectors.get('call') ?? '')
  const cursor = cursorOf(bytes)
  t.deepEqual(takeCall(cursor), {
    call: {
      address: filled(0x08, 20),
      caller: filled(0xa1, 20),
      value: (1n << 128n) + 5n,
      input: hex('cafe'),
      gasLimit: 30_000n,
      isStatic: true,
      isDelegate: true,
      isCodeCall: false,
    },
    undo: 3,
  })
  t.is(cursor.at, bytes.length)
})

test('a result record is read as the engine writes it', (t) => {
  const bytes = hex(vectors.get('result') ?? '')
  const cursor = cursorOf(bytes)
  const { result, undo, isAborted } = takeResult(cursor)
  t.is(cursor.at, bytes.length)
  t.deepEqual([undo, isAborted], [4, false])
  t.deepEqual(result, {
    status: 'success',
    reason: undefined,
    gasUsed: 40_000n,
    gasPeak: 50_000n,
    refund: 10_000n,
    output: hex('ab'),
    frameFailed: false,
    created: filled(0xd1, 20),
    logs: [{ address: filled(0xb1, 20), topics: [filled(0x01, 32)], data: hex('09') }],
    diff: [
      {
        address: filled(0x11, 20),
        created: false,
        destroyed: true,
        empty: false,
        balance: 0n,
        nonce: 1n,
        codeHash: filled(0xcc, 32),
        code: undefined,
        slots: [],
      },
      {
        address: filled(0xd1, 20),
        created: true,
        destroyed: false,
        empty: false,
        balance: 5n,
        nonce: 1n,
        codeHash: filled(0xcc, 32),
        code: hex('60'),
        slots: [
          { key: word(2), value: word(3) },
          { key: word(9), value: word(10) },
        ],
      },
    ],
  })
})
