/** Declares routes of the control API. */
import { z } from 'zod'
import { SimError } from '../../errors.ts'
import type { Controlled } from './controlled.ts'
import type { NumberPage } from './numberPages.ts'
import type { Instance } from '../ports.ts'

/** A request: path parameters, query, and a body in the shape that the route declares. */
export type Asked<Body> = {
  readonly controlled: Controlled
  readonly instance: Instance
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body: Body
}

export type ControlRoute = {
  readonly verb: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly body: z.ZodType
  readonly handle: (asked: Asked<unknown>) => unknown
  /**
   * On a fork, the missing state of the other chain is fetched and the route asked again. If it cannot be
   * fetched, the response to a route that needs it is an error.
   */
  readonly otherChain?: 'helps' | 'isNeeded'
}

const nothing = z.unknown()

/** Returns a GET route. */
export function reading(path: string, summary: string, handle: ControlRoute['handle']): ControlRoute {
  return { verb: 'GET', path, summary, body: nothing, handle, otherChain: 'helps' }
}

/** Returns a route whose body must match a schema. */
export function doing<Body>(
  path: string,
  summary: string,
  {
    body,
    handle,
  }: {
    readonly body: z.ZodType<Body>
    readonly handle: (asked: Asked<Body>) => unknown
  },
): ControlRoute {
  return {
    verb: 'POST',
    path,
    summary,
    body,
    handle: (asked) => handle({ ...asked, body: body.parse(asked.body) }),
  }
}

/** Returns a route whose body must match a schema, and which changes nothing. */
export function looking<Body>(...given: Parameters<typeof doing<Body>>): ControlRoute {
  return { ...doing(...given), otherChain: 'helps' }
}

/** Returns a DELETE route. */
export function removing(path: string, summary: string, handle: ControlRoute['handle']): ControlRoute {
  return { verb: 'DELETE', path, summary, body: nothing, handle }
}

type Bounds = { readonly fallback: number; readonly most: number }

/** Returns a number from a query, capped at `most`, or `fallback` if the text is not a number. */
export function boundedNumber(text: string | undefined, { fallback, most }: Bounds): number {
  return /^\d{1,12}$/.test(text ?? '') ? Math.min(Number(text), most) : fallback
}

/** Returns the page size of a list: the `limit` of the query, or `fallback`. */
export function limitOf(query: Asked<unknown>['query'], fallback: number): number {
  return boundedNumber(query['limit'], { fallback, most: 500 })
}

/**
 * Returns the number below which a page of a list begins; without a query, the page begins at the
 * newest entry.
 */
function beforeOf(query: Asked<unknown>['query']): number {
  return boundedNumber(query['before'], { fallback: Number.MAX_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER })
}

/**
 * Returns the page of a list whose entries are numbered, as the query asks for it: `before=NUMBER`
 * for the newest entries below a number, or `from=NUMBER` for the oldest entries from a number on.
 */
export function numberPageOf(query: Asked<unknown>['query'], fallback: number): NumberPage {
  const from = query['from'] === undefined ? undefined : boundedNumber(query['from'], { fallback: 0, most: 1e12 })
  return { before: beforeOf(query), from, limit: limitOf(query, fallback) }
}

/** Returns the slice of a list without numbers that the query asks for; `from` counts from 0. */
export function listSlice(query: Asked<unknown>['query']): { readonly from: number; readonly limit: number } {
  return { from: boundedNumber(query['from'], { fallback: 0, most: 1e9 }), limit: limitOf(query, 50) }
}

/** Returns `found`. Throws `NotThere` if it is undefined. */
export function present<Found>(found: Found | undefined, what: string): Found {
  if (found === undefined) throw new NotThere(what)
  return found
}

/** Thrown for a resource that does not exist. */
export class NotThere extends SimError {
  constructor(what: string, hint?: string) {
    super('NOT_THERE', `there is no ${what}`, hint === undefined ? {} : { hint })
  }
}
