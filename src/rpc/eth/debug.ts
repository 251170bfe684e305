/**
 * The `debug` methods that inspect the process, and those that return blocks in other forms
 * (`cosmos-evm-rpc.md` §2.10). Traces are in files of their own.
 */
import type { BlockRecord } from '../../chain/block.ts'
import { text, type Codec } from '../../codec/codec.ts'
import { blockJson } from '../../feed/ethShapes.ts'
import type { Task } from '../../node/output.ts'
import { action, inRole, param, query, type Context, type Example, type Method, type Params } from '../method.ts'
import { aboveHead, serverError } from './errors.ts'
import { heightOfRef, minedBlockOf, cometBlockAt } from './lookup.ts'
import { blockParam, goInt, goUint, goUint64, blockHashParam } from './params.ts'
import { checkProfiling, performedJson, performedQuietly, performing, refuseMutexes } from './profiling.ts'
import { rawBlock, rawHeader } from './rawBlocks.ts'
import { bytesResult, nullResult, numberResult, objectResult, textResult } from './results.ts'
import { traceConfig } from './traceConfig.ts'
import { shownBlock } from './uncommitted.ts'

const declared = { spec: 'cosmos-evm-rpc.md §2.10' }
const profiling = { ethEnableProfiling: true }

/** The example of a method that inspects the process: profiling is off by default. */
const profilingIsOff = (...params: readonly unknown[]): readonly Example[] => [
  { params, error: 'profiling disabled in the debug namespace' },
]
const heightParam = inRole('block', param('height', goUint64))
const fileParam = param('file', text())
const secondsParam = param('seconds', goUint)
const rateParam = param('rate', goInt)

type Row<Values extends readonly unknown[], Made> = {
  readonly name: string
  readonly summary: string
  readonly params: readonly [...Params<Values>]
  /** Parameters of the example. */
  readonly sample: readonly unknown[]
} & Made

/** Declares a method that starts a task of the shell and returns null when the task is done. */
function task<Values extends readonly unknown[]>({
  name,
  summary,
  params,
  sample,
  taskOf,
  secondsOf,
}: Row<
  Values,
  {
    readonly taskOf: (params: Values) => Task
    /** Duration of the task in seconds; 0 if omitted. */
    readonly secondsOf?: (params: Values) => bigint
  }
>): Method {
  return action({
    ...declared,
    name,
    summary,
    params,
    result: nullResult,
    traits: ['changesWorld'],
    examples: profilingIsOff(...sample),
    command: (context, values: Values) => performing(context, taskOf(values)),
    reply: (context, outcome, values: Values) => performedQuietly(context, outcome, Number(secondsOf?.(values) ?? 0n)),
  })
}

/** Declares a method that returns the block at a height in another form. */
function ofHeight<Result>({
  name,
  summary,
  result,
  read,
}: {
  readonly name: string
  readonly summary: string
  readonly result: Codec<Result>
  readonly read: (record: BlockRecord) => Result
}): Method {
  return query({
    ...declared,
    name,
    summary,
    params: [heightParam],
    result,
    examples: [{ settings: profiling, before: [['evm_mine']], params: [1], result: '…' }],
    read: (context: Context, [height]) => {
      checkProfiling(context)
      return read(shownBlock(context, cometBlockAt(context, height), 'eth'))
    },
  })
}

const timedProfile = (name: string, summary: string, profile: 'block' | 'cpu'): Method =>
  task({
    name,
    summary,
    params: [fileParam, secondsParam],
    sample: ['profile.out', 1],
    taskOf: ([file, seconds]) => ({ type: 'writeProfile', profile, path: file, seconds: Number(seconds) }),
    secondsOf: ([, seconds]) => seconds,
  })

const profileNow = (name: string, summary: string, profile: 'block' | 'heap'): Method =>
  task({
    name,
    summary,
    params: [fileParam],
    sample: ['profile.out'],
    taskOf: ([file]) => ({ type: 'writeProfile', profile, path: file, seconds: 0 }),
  })

const cpuSummary = 'a CPU profile'

const startProfile = (name: string, profile: 'cpu' | 'trace'): Method =>
  task({
    name,
    summary: `Starts recording ${cpuSummary} to a file in the home directory.`,
    params: [fileParam],
    sample: ['profile.out'],
    taskOf: ([file]) => ({ type: 'startProfile', profile, path: file }),
  })

const stopProfile = (name: string, summary: string, profile: 'cpu' | 'trace'): Method =>
  task({ name, summary, params: [], sample: [], taskOf: () => ({ type: 'stopProfile', profile }) })

const refused = <Values extends readonly unknown[]>(
  name: string,
  params: readonly [...Params<Values>],
  ...sample: readonly unknown[]
): Method =>
  query({
    ...declared,
    name,
    summary: 'Always fails: a single-threaded process has no locks to profile.',
    params,
    result: nullResult,
    examples: [{ settings: profiling, params: sample, error: 'a single-threaded process has no locks to profile' }],
    read: refuseMutexes,
  })

const timedCpu = `Records ${cpuSummary} for N seconds and writes it to a file in the home directory.`

export const debugMethods: readonly Method[] = [
  timedProfile(
    'debug_blockProfile',
    'Measures event loop delays for N seconds and writes them to a file in the home directory.',
    'block',
  ),
  timedProfile('debug_cpuProfile', timedCpu, 'cpu'),
  task({
    name: 'debug_freeOSMemory',
    summary: 'Runs the garbage collector and returns unused memory to the system.',
    params: [],
    sample: [],
    taskOf: () => ({ type: 'collectGarbage' }),
  }),
  action({
    ...declared,
    name: 'debug_gcStats',
    summary: 'Returns garbage collection statistics since the start, with times in nanoseconds.',
    params: [],
    result: objectResult,
    examples: profilingIsOff(),
    command: (context) => performing(context, { type: 'garbageStatistics' }),
    reply: performedJson,
  }),
  ofHeight({
    name: 'debug_getBlockRlp',
    summary: 'Returns a block, RLP-encoded.',
    result: bytesResult,
    read: rawBlock,
  }),
  ofHeight({
    name: 'debug_getHeaderRlp',
    summary: 'Returns the header of a block, RLP-encoded.',
    result: bytesResult,
    read: rawHeader,
  }),
  query({
    ...declared,
    name: 'debug_getRawBlock',
    summary: 'Returns a block in Ethereum format, RLP-encoded.',
    params: [blockParam],
    result: bytesResult,
    examples: [
      { settings: { quirks: ['undocumented-methods'] }, before: [['evm_mine']], params: ['0x1'], result: '…' },
    ],
    read: (context, [at]) => {
      const record = minedBlockOf(context, at)
      if (record !== undefined) return rawBlock(shownBlock(context, record, 'eth'))
      const { node } = context
      throw serverError(aboveHead.comet(heightOfRef(node, at), node.chain.height))
    },
  }),
  timedProfile('debug_goTrace', timedCpu, 'cpu'),
  query({
    ...declared,
    name: 'debug_intermediateRoots',
    summary: 'Returns null, because the chain has no intermediate roots.',
    params: [blockHashParam, param('config', traceConfig, undefined)],
    result: nullResult,
    examples: [{ settings: profiling, params: [`0x${'11'.repeat(32)}`], result: null }],
    read: (context) => {
      checkProfiling(context)
      return undefined
    },
  }),
  action({
    ...declared,
    name: 'debug_memStats',
    summary: 'Returns the Go memory statistics that V8 also keeps, in bytes.',
    params: [],
    result: objectResult,
    examples: profilingIsOff(),
    command: (context) => performing(context, { type: 'memoryStatistics' }),
    reply: performedJson,
  }),
  refused('debug_mutexProfile', [fileParam, secondsParam], 'profile.out', 1),
  ofHeight({
    name: 'debug_printBlock',
    summary: 'Returns a block as human-readable text.',
    result: textResult,
    read: (record) => JSON.stringify(blockJson(record, true), null, 2),
  }),
  task({
    name: 'debug_setBlockProfileRate',
    summary: 'Starts measuring event loop delays; a rate of 0 stops it.',
    params: [rateParam],
    sample: [1],
    taskOf: ([rate]) => ({ type: 'blockRate', rate: Number(rate) }),
  }),
  action({
    ...declared,
    name: 'debug_setGCPercent',
    summary:
      'Sets the heap growth between garbage collections, in percent, and returns the previous value; 0 lets V8 choose.',
    params: [param('percent', goInt)],
    result: numberResult,
    traits: ['changesWorld'],
    examples: profilingIsOff(100),
    command: (context, [percent]) => performing(context, { type: 'garbagePercent', percent: Number(percent) }),
    reply: performedJson,
  }),
  refused('debug_setMutexProfileFraction', [rateParam], 1),
  action({
    ...declared,
    name: 'debug_stacks',
    summary: 'Returns the stack of the process’s only thread, and what the thread is waiting for.',
    params: [],
    result: textResult,
    examples: profilingIsOff(),
    command: (context) => performing(context, { type: 'stacks' }),
    reply: performedJson,
  }),
  startProfile('debug_startCPUProfile', 'cpu'),
  startProfile('debug_startGoTrace', 'trace'),
  stopProfile('debug_stopCPUProfile', 'Stops the CPU profile and writes it.', 'cpu'),
  stopProfile('debug_stopGoTrace', 'Stops the profile that debug_startGoTrace started, and writes it.', 'trace'),
  profileNow(
    'debug_writeBlockProfile',
    'Writes the measured event loop delays to a file in the home directory.',
    'block',
  ),
  profileNow('debug_writeMemProfile', 'Writes a heap snapshot to a file in the home directory.', 'heap'),
  refused('debug_writeMutexProfile', [fileParam], 'profile.out'),
]
