import test from 'ava'
import fc from 'fast-check'
import { ExecTxResult } from 'cosmjs-types/tendermint/abci/types'
import { Block } from 'cosmjs-types/tendermint/types/block'
import { block, deterministicTxResult, execTxResult } from '../../../src/codec/protobuf/comet.ts'

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
const time = fc.record({
  seconds: fc.bigInt({ min: -62135596800n, max: 253402300799n }),
  nanos: fc.nat(999_999_999),
})
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test('blocks have the bytes of the generated code and read back', (t) => {
  fc.assert(
    fc.property(hash, time, fc.array(fc.uint8Array()), fc.bigInt({ min: 1n, max: 2n ** 62n }), (h, at, txs, height) => {
      const hashes = {
        lastCommitHash: h,
        dataHash: h,
        validatorsHash: h,
        nextValidatorsHash: h,
        consensusHash: h,
        appHash: h,
        lastResultsHash: h,
        evidenceHash: h,
        proposerAddress: h.subarray(0, 20),
      }
      const signature = { blockIdFlag: 2, validatorAddress: h, timestamp: at, signature: h }
      const header = {
        version: { block: 11n, app: 0n },
        chainId: '9001',
        height,
        time: at,
        ...hashes,
      }
      const ours = {
        header: { ...header, lastBlockId: { hash: h, parts: { total: 1, hash: h } } },
        data: { txs },
        evidence: { evidence: [] },
        lastCommit: {
          height,
          round: 1,
          blockId: { hash: h, parts: { total: 1, hash: h } },
          signatures: [{ flag: 2, address: h, time: at, signature: h }],
        },
      }
      const theirs = Block.fromPartial({
        header: { ...header, lastBlockId: { hash: h, partSetHeader: { total: 1, hash: h } } },
        data: { txs },
        evidence: {},
        lastCommit: {
          height,
          round: 1,
          blockId: { hash: h, partSetHeader: { total: 1, hash: h } },
          signatures: [signature],
        },
      })
      t.is(hex(block.encode(ours)), hex(Block.encode(theirs).finish()))
      t.deepEqual(hex(block.encode(block.decode(block.encode(ours)))), hex(block.encode(ours)))
    }),
    { seed: 17, numRuns: 50 },
  )
})

test('results have the bytes of the generated code, the hashed form only four fields of them', (t) => {
  const result = {
    code: 5,
    data: Uint8Array.of(1),
    log: 'l',
    info: '',
    gasWanted: -1n,
    gasUsed: 7n,
    codespace: 'sdk',
    events: [{ type: 'e', attributes: [{ key: 'k', value: 'v', index: true }] }],
  }
  t.is(hex(execTxResult.encode(result)), hex(ExecTxResult.encode(ExecTxResult.fromPartial(result)).finish()))
  t.is(hex(deterministicTxResult.encode(result)), '0805120101' + '28ffffffffffffffffff01' + '3007')
})
