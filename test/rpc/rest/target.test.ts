/** Requests to the REST API are written from calls as they are read. */
import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { restCall } from '../../../src/rpc/rest/call.ts'
import { restRequest } from '../../../src/rpc/rest/target.ts'
import type { Call } from '../../../src/rpc/transport.ts'

const folder = new URL('../../../../test/golden/cases/', import.meta.url)

type Case = { readonly name: string; readonly via?: string; readonly request: unknown }

/** The calls that recorded requests ask for. */
function recordedCalls(): readonly Call[] {
  const files = readdirSync(folder).filter((name) => name.startsWith('c-'))
  const cases = files.flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as readonly Case[])
  return cases.flatMap(({ via, request }) => {
    if (via !== 'get' || typeof request !== 'string') return []
    try {
      return restCall({ verb: 'GET', target: request, body: '', height: undefined }) ?? []
    } catch {
      return []
    }
  })
}

/** What a call asks for; an empty message asks for as much as none. */
function meaning({ params }: Call): unknown {
  return params.form === 'json'
    ? JSON.parse(params.text, (_name, value: unknown) => (isNothing(value) ? undefined : value))
    : undefined
}

function isNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === null || value === '' || value === false || value === '0' || value === 0
}

test('a request written from a recorded call asks for the same', (t) => {
  const calls = recordedCalls()
  t.true(calls.length > 300)
  for (const call of calls) {
    const text = call.params.form === 'json' ? call.params.text : ''
    const { verb, target, body } = restRequest(call.name, text) ?? { verb: '', target: '', body: '' }
    const again = restCall({ verb, target, body, height: undefined })
    t.is(again?.name, call.name, target)
    t.deepEqual(again && meaning(again), meaning(call), target)
  }
})

test('a method without a route has no request', (t) => {
  t.is(restRequest('cosmos.bank.v1beta1.Query/Nothing', '{}'), undefined)
})
