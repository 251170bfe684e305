import test from 'ava'
import { JsonText } from '../../../src/rpc/result.ts'
import type { LogQuery } from '../../../src/rpc/eth/logFilterParam.ts'
import { changedLogs, queryLogs } from '../../../src/rpc/eth/logs.ts'
import type { Settings } from '../../../src/settings/settings.ts'
import { chainOf, recordOf } from '../../helpers/ethRecords.ts'
import { contextOf } from '../../helpers/ethStub.ts'

const address = (value: number): Uint8Array => new Uint8Array(20).fill(value)
const topic = (value: number): Uint8Array => new Uint8Array(32).fill(value)
const log = (from: number, ...topics: number[]) => ({
  address: address(from),
  topics: topics.map(topic),
  data: new Uint8Array(0),
})

// Heights 1 to 4; the number of a log is its address.
const records = [
  recordOf(1n, [{ logs: [log(1, 1)] }]),
  recordOf(2n, [{ logs: [log(2, 1, 2), log(3)] }, { logs: [log(4, 2)] }]),
  recordOf(3n),
  recordOf(4n, [{ logs: [log(5, 1)] }]),
]

const everything: LogQuery = {
  blockHash: undefined,
  from: undefined,
  to: undefined,
  addresses: [],
  topics: [],
}
const at = (height: bigint) => ({ kind: 'height', height }) as const
const tag = (name: 'earliest' | 'latest' | 'pending' | 'safe') => ({ kind: 'tag', tag: name }) as const
const all = { from: at(1n), to: at(4n) }

function numbers({ text }: JsonText): number[] {
  return (JSON.parse(text) as readonly unknown[]).map((one) =>
    Number.parseInt((one as { address: string }).address.slice(2, 4), 16),
  )
}

const finds = test.macro((t, query: Partial<LogQuery>, wanted: number[], settings: Partial<Settings> = {}) => {
  const context = contextOf(chainOf(records, settings))
  t.deepEqual(numbers(queryLogs(context, { ...everything, ...query })), wanted)
})

test('without a range the newest block is meant', finds, {}, [5])
test('a range is inclusive, in order of height, transaction and log', finds, all, [1, 2, 3, 4, 5])
test('addresses are alternatives', finds, { ...all, addresses: [address(2), address(5)] }, [2, 5])
test('a topic is compared at its position', finds, { ...all, topics: [[topic(2)]] }, [4])
test('topics of a position are alternatives', finds, { ...all, topics: [[topic(1), topic(2)]] }, [1, 2, 4, 5])
test('an empty position matches anything that is there', finds, { ...all, topics: [[], [topic(2)]] }, [2])
test('a position beyond the topics matches nothing', finds, { ...all, topics: [[topic(1)], []] }, [2])
test('a block by its hash', finds, { blockHash: new Uint8Array(32).fill(2) }, [2, 3, 4])
test('earliest is the first block', finds, { from: tag('earliest'), to: at(1n) }, [1])
test('safe is the newest block', finds, { from: tag('safe'), to: tag('latest') }, [5])
test('from 0 the node repeats the newest block first', finds, { from: at(0n), to: at(1n) }, [5, 1])
test('sane: from 0 is from the first block', finds, { from: at(0n), to: at(1n) }, [1], { quirks: ['sane'] })
test('sane: a range that ends above the head ends there', finds, { from: at(3n), to: at(9n) }, [5], {
  quirks: ['sane'],
})
test('a cap of no blocks finds nothing', finds, all, [], { blockRangeCap: 0 })

const refuses = test.macro((t, query: Partial<LogQuery>, message: string, settings: Partial<Settings> = {}) => {
  const context = contextOf(chainOf(records, settings))
  t.throws(() => queryLogs(context, { ...everything, ...query }), { message })
})

test('a range that ends before it begins', refuses, { from: at(3n), to: at(2n) }, 'invalid block range params')
test('a range after the head', refuses, { from: at(3n), to: at(9n) }, 'invalid block range params')
test('sane: a range that begins above the head', refuses, { from: at(8n), to: at(9n) }, 'invalid block range params', {
  quirks: ['sane'],
})
test('only an end in the past', refuses, { to: at(2n) }, 'invalid block range params')
test('pending blocks', refuses, { from: tag('pending') }, 'pending logs are not supported')
test('too many blocks', refuses, all, 'maximum [from, to] blocks distance: 2', { blockRangeCap: 2 })
test('too many logs', refuses, all, 'query returned more than 4 results', { logsCap: 4 })

const polls = test.macro((t, query: Partial<LogQuery>, wanted: number[]) => {
  const context = contextOf(chainOf(records))
  const changed = changedLogs(context, { ...everything, ...query }, { from: 2n, to: 4n, gone: [] })
  t.deepEqual(numbers(new JsonText(JSON.stringify(changed))), wanted)
})

test('a filter delivers what is new', polls, {}, [2, 3, 4, 5])
test('a filter that ended delivers nothing', polls, { to: at(1n) }, [])
test('a filter that begins later delivers from there', polls, { from: at(4n) }, [5])
test('a filter for pending blocks delivers all', polls, { from: tag('pending'), to: tag('pending') }, [2, 3, 4, 5])

test('a search writes logs as a filter delivers them', (t) => {
  const context = contextOf(chainOf(records))
  const query = { ...everything, ...all }
  t.is(queryLogs(context, query).text, JSON.stringify(changedLogs(context, query, { from: 1n, to: 4n, gone: [] })))
})
