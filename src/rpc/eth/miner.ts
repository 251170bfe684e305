/**
 * The controls of a geth miner, which a chain with validators refuses or ignores
 * (`cosmos-evm-rpc.md` §2.12).
 */
import { optional, text } from '../../codec/codec.ts'
import { big, uint64 } from '../../codec/hex.ts'
import { owner } from '../exampleCalls.ts'
import { action, param, query, type Method } from '../method.ts'
import { serverError } from './errors.ts'
import { addressParam, goInt } from './params.ts'
import { boolResult, nullResult, numberResult, shaped } from './results.ts'
import { ganacheMining } from '../ganacheMining.ts'

const declared = { spec: 'cosmos-evm-rpc.md §2.12' }

export const minerMethods: readonly Method[] = [
  query({
    ...declared,
    name: 'miner_getHashrate',
    summary: 'Returns 0, because the chain has no proof of work.',
    params: [],
    result: numberResult,
    examples: [{ params: [], result: 0 }],
    read: () => 0,
  }),
  query({
    ...declared,
    name: 'miner_setEtherbase',
    summary: 'Returns false, because the node’s validator keeps its withdraw address.',
    params: [addressParam],
    result: boolResult,
    examples: [{ params: [owner], result: false }],
    read: () => false,
  }),
  query({
    ...declared,
    name: 'miner_setExtra',
    summary: 'Always fails: blocks carry no extra data.',
    params: [param('extra', text())],
    result: nullResult,
    examples: [{ params: ['text'], error: 'unsupported rpc function: miner_setExtra' }],
    read: () => {
      throw serverError('unsupported rpc function: miner_setExtra')
    },
  }),
  query({
    ...declared,
    name: 'miner_setGasLimit',
    summary: 'Returns false, because the block gas limit is a consensus parameter.',
    params: [param('gas', uint64)],
    result: boolResult,
    examples: [{ params: ['0x989680'], result: false }],
    read: () => false,
  }),
  query({
    ...declared,
    name: 'miner_setGasPrice',
    summary: 'Returns true without effect, because the minimum gas price of Cosmos transactions is a setting.',
    params: [param('price', big)],
    result: boolResult,
    examples: [{ params: ['0x1'], result: true }],
    read: () => true,
  }),
  action({
    ...declared,
    name: 'miner_start',
    summary: "Fails, or turns on Ganache's automine if the namespace `miner` is disabled.",
    params: [param('threads', optional(goInt), undefined)],
    result: boolResult,
    traits: ['changesWorld'],
    examples: [{ params: [], error: 'unsupported rpc function: miner_start' }],
    command: (context) => {
      const command = ganacheMining(context, true)
      if (command === undefined) throw serverError('unsupported rpc function: miner_start')
      return command
    },
    reply: () => true,
  }),
  action({
    ...declared,
    name: 'miner_stop',
    summary: "Does nothing, or turns off Ganache's automine if the namespace `miner` is disabled.",
    params: [],
    result: shaped({ type: ['boolean', 'null'] }),
    traits: ['changesWorld'],
    examples: [{ params: [], result: null }],
    command: (context) => ganacheMining(context, false) ?? { type: 'none' },
    reply: (context) => (ganacheMining(context, false) === undefined ? null : true),
  }),
]
