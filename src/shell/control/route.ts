/** What a route of the control API is, and how one is declared. */
import { z } from 'zod'
import { SimError } from '../../errors.ts'
import type { Controlled } from './controlled.ts'
import type { Instance } from '../ports.ts'

/** What a request brings: path parameters, query, and the body in the shape of its route. */
export type Asked<Body> = {
  readonly controlled: Controlled
  readonly instance: Instance
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body: Body
}

export type Route = {
  readonly verb: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly body: z.ZodType
  readonly handle: (asked: Asked<unknown>) => unknown
}

const nothing = z.unknown()

/** Returns a route that reads. */
export function reading(path: string, summary: string, handle: Route['handle']): Route {
  return { verb: 'GET', path, summary, body: nothing, handle }
}

/** Returns a route that takes a body of a shape. */
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
): Route {
  return {
    verb: 'POST',
    path,
    summary,
    body,
    handle: (asked) => handle({ ...asked, body: body.parse(asked.body) }),
  }
}

/** Returns a route that removes something. */
export function removing(path: string, summary: string, handle: Route['handle']): Route {
  return { verb: 'DELETE', path, summary, body: nothing, handle }
}

type Bounds = { readonly fallback: number; readonly most: number }

/** Returns a number of a query, at most `most`; `fallback` for text that is none. */
export function numberOf(text: string | undefined, { fallback, most }: Bounds): number {
  return /^\d{1,12}$/.test(text ?? '') ? Math.min(Number(text), most) : fallback
}

/** Returns how many entries a page of a list has. */
export function limitOf(query: Asked<unknown>['query'], fallback: number): number {
  return numberOf(query['limit'], { fallback, most: 500 })
}

/** Returns where a page of a list begins: below this number, without a query at the newest entry. */
export function beforeOf(query: Asked<unknown>['query']): number {
  return numberOf(query['before'], { fallback: Number.MAX_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER })
}

/** Returns what was found. Throws `NotThere`. */
export function present<Found>(found: Found | undefined, what: string): Found {
  if (found === undefined) throw new NotThere(what)
  return found
}

/** A resource that does not exist. */
export class NotThere extends SimError {
  constructor(what: string) {
    super('NOT_THERE', `there is no ${what}`)
  }
}
