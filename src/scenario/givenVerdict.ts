import type { Expected } from '../plan/expectation.ts'
import type { CallRecord } from '../rpc/callRecord.ts'
import { answerVerdict, range } from './answerVerdict.ts'

type GivenExpected = Extract<Expected, { type: 'given' }>

/** The matching calls, oldest first, and a function that evaluates late expressions. */
export type GivenSeen = {
  readonly calls: readonly CallRecord[]
  readonly filled: (json: string) => string
}

/**
 * Returns why too few or too many calls got the wanted response; undefined if the number is right.
 */
export function givenVerdict(one: GivenExpected, { calls, filled }: GivenSeen): string | undefined {
  const fitting = calls.filter((call) => isGiven(one, call, filled)).length
  const text = range(`${one.text} answered with ${wish(one)}`, fitting, one)
  const last = calls.at(-1)
  return text === undefined || last === undefined ? text : `${text}; the last call was answered with ${told(last)}`
}

function isGiven({ path, wanted }: GivenExpected, { method, given }: CallRecord, filled: GivenSeen['filled']): boolean {
  if (wanted.is === 'nothing') return given.is === 'nothing'
  if (wanted.is === 'status') return given.is === 'status' && given.status === wanted.status
  if (given.is !== (wanted.is === 'error' ? 'error' : 'result') || given.text === undefined) return false
  return (
    answerVerdict({ method, path, wanted, filled }, { isError: given.is === 'error', text: given.text }) === undefined
  )
}

function wish({ path, wanted }: GivenExpected): string {
  switch (wanted.is) {
    case 'nothing':
      return 'nothing'
    case 'status':
      return `the HTTP status ${wanted.status}`
    case 'error': {
      const { code, includes, pattern } = wanted
      return ['an error', code, includes ?? pattern].filter((part) => part !== undefined).join(' ')
    }
    case 'equal':
      return `${path || 'the result'} ${wanted.value}`
    case 'different':
      return `${path || 'the result'} other than ${wanted.value}`
    case 'matching':
      return `${path || 'the result'} matching ${wanted.pattern}`
    case 'between':
      return `${path || 'the result'} from ${wanted.min ?? 'any'} to ${wanted.max ?? 'any'}`
  }
}

function told({ given }: CallRecord): string {
  if (given.is === 'nothing') return 'nothing'
  if (given.is === 'status') return `the HTTP status ${given.status}`
  const article = given.is === 'error' ? 'the error' : 'the result'
  return given.text === undefined
    ? `a ${given.is} that is too long to compare`
    : `${article} ${given.text.slice(0, 200)}`
}
