/** A fault's own body names the call that it answers. */
import test from 'ava'
import { faultedFrame } from '../../src/rpc/faultedFrame.ts'

const bodyWith = test.macro((t, id: string, expected: string) => {
  const framed = { status: 200, headers: [], body: 'the response' }
  const terminal = { type: 'http', status: 429, headers: [], body: '{"id":"$id","error":{}}' } as const
  const decision = {
    applied: [],
    delayMs: 0n,
    at: 'before',
    terminal,
    cors: 'keep',
    views: [],
    retryAfterMs: 0n,
    attempt: 1,
  } as const
  t.is(faultedFrame(framed, decision, id).body, expected)
})
test('a number is an id', bodyWith, '7', '{"id":7,"error":{}}')
test('an id with replacement patterns stays as it is', bodyWith, '"a$&b$$"', '{"id":"a$&b$$","error":{}}')
test('a call without an id is answered with null', bodyWith, '', '{"id":null,"error":{}}')
