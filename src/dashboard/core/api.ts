/** The name of the session that this page shows, or '' for the main chain. */
export const session = /^\/s\/([^/]+)/.exec(location.pathname)?.[1] ?? ''

/** Returns the path of a chain's API: of a session, or of the main chain with ''. */
function baseOf(name: string): string {
  return `${name === '' ? '' : `/s/${name}`}/api`
}

export const liveUrl = `${baseOf(session)}/live`

/** A request that was refused or got no response; `status` is 0 without a response. */
export class Failure extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

async function ask<Body>(path: string, options?: RequestInit, of = session): Promise<Body> {
  const answer = await fetch(`${baseOf(of)}${path}`, options).catch(() => {
    throw new Failure('The chain does not respond. This page reconnects automatically.', 0)
  })
  const body = (await answer.json()) as Body & { error?: { message: string; hint?: string } }
  if (answer.ok) return body
  const { message = answer.statusText, hint } = body.error ?? {}
  throw new Failure(hint === undefined ? message : `${message}. ${hint}`, answer.status)
}

/**
 * Resolves with the response to a GET request for a path under /api, of this page's chain or of the
 * session `of`. Throws `Failure`.
 */
export function get<Body>(path: string, of = session): Promise<Body> {
  return ask<Body>(path, undefined, of)
}

/** Resolves with the response to a POST request with a JSON body. Throws `Failure`. */
export function post<Body>(path: string, body: object = {}): Promise<Body> {
  return ask<Body>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Resolves with the response to a DELETE request. Throws `Failure`. */
export function remove<Body>(path: string): Promise<Body> {
  return ask<Body>(path, { method: 'DELETE' })
}

type Told<Result> = { readonly result: Result } | { readonly error: { readonly message: string } }

/**
 * Resolves with the result of a call that leaves no trace on the chain or in its request journal.
 * Throws the call's error.
 */
export async function call<Result>(side: 'eth' | 'comet' | 'rest', method: string, params?: unknown): Promise<Result> {
  const told = await post<Told<Result>>('/call', { side, method, ...(params === undefined ? {} : { params }) })
  if ('error' in told) throw new Error(told.error.message)
  return told.result
}
