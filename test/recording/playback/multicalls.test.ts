import test from 'ava'
import { decodeFunctionResult, encodeFunctionData, encodeFunctionResult, multicall3Abi, type Hex } from 'viem'
import { callKey } from '../../../src/recording/playback/callKey.ts'
import { createLookup } from '../../../src/recording/playback/derive.ts'
import type { HeldAnswer } from '../../../src/recording/playback/library.ts'

const place = '0xca11bde05977b3631167028862be2a173976ca11'
const one: Hex = `0x${'01'.repeat(20)}`
const two: Hex = `0x${'02'.repeat(20)}`
const three: Hex = `0x${'03'.repeat(20)}`
const symbol: Hex = '0x95d89b41'

const keyOf = (to: Hex, data: Hex, block = 'latest') =>
  callKey({ side: 'eth', method: 'eth_call', params: JSON.stringify([{ to, data }, block]) }, () => [])

type Call = { target: Hex; allowFailure?: boolean }

function gather(...calls: Call[]): Hex {
  return encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls.map(({ target, allowFailure = false }) => ({ target, allowFailure, callData: symbol }))],
  })
}

function answered(...list: readonly (readonly [boolean, Hex])[]): string {
  const result = list.map(([success, returnData]) => ({ success, returnData }))
  return JSON.stringify(
    encodeFunctionResult({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      result,
    }),
  )
}

const held = (text: string, since = 0): HeldAnswer => ({ since, answer: { ok: true, text }, count: 1 })

/** What was recorded: one and two in one call, two again later, three alone and refused. */
const lookup = createLookup(
  new Map<string, readonly HeldAnswer[]>([
    [
      keyOf(place, gather({ target: one }, { target: two })),
      [held(answered([true, '0xaa'], [true, '0xbb'])), held(answered([true, '0xaa'], [true, '0xbc']), 50)],
    ],
    [
      keyOf(three, symbol),
      [
        {
          since: 20,
          count: 1,
          answer: { ok: false, error: { code: 3, message: 'execution reverted', data: '"0xdead"' } },
        },
      ],
    ],
  ]),
  () => {},
)

const found = (data: Hex, to: Hex = place, block?: string) => {
  const all = lookup(keyOf(to, data, block))
  return all?.map(({ since, answer }) => [since, answer.ok === true ? (JSON.parse(answer.text) as Hex) : answer])
}

const decoded = (data: Hex) =>
  found(data)?.map(([since, text]) => [
    since,
    decodeFunctionResult({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      data: text as Hex,
    }).map(({ success, returnData }) => [success, returnData]),
  ])

test('a call that was recorded as a part is answered alone, as it changed', (t) => {
  t.deepEqual(found(symbol, two), [
    [0, '0xbb'],
    [50, '0xbc'],
  ])
})

test('calls that were gathered otherwise are put together, from when all are known', (t) => {
  const calls = [{ target: two }, { target: three, allowFailure: true }, { target: one }]
  const others = [
    [false, '0xdead'],
    [true, '0xaa'],
  ]
  t.deepEqual(decoded(gather(...calls)), [
    [20, [[true, '0xbb'], ...others]],
    [50, [[true, '0xbc'], ...others]],
  ])
  t.deepEqual(decoded(gather()), [[0, []]])
})

test('a part that may not fail, is not known, or is of another height leaves a miss', (t) => {
  t.is(found(gather({ target: three })), undefined)
  t.is(found(gather({ target: one }, { target: place })), undefined)
  t.is(found(gather({ target: one }), place, '0x5'), undefined)
  t.is(found(symbol, place), undefined)
  t.is(found('0x82ad56cb'), undefined)
})
