/** The control API of the chain that this page shows: the main chain, or the session in its path. */
export const session = /^\/s\/([^/]+)/.exec(location.pathname)?.[1] ?? ''
const base = `${session === '' ? '' : `/s/${session}`}/api`

export const liveUrl = `${base}/live`

/** A refused or lost request; `status` is 0 when no response came. */
export class Failure extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

async function ask<Body>(path: string, options?: RequestInit): Promise<Body> {
  const answer = await fetch(`${base}${path}`, options).catch(() => {
    throw new Failure('The chain does not answer. The page reads again when it is back.', 0)
  })
  const body = (await answer.json()) as Body & { error?: { message: string; hint?: string } }
  if (answer.ok) return body
  const { message = answer.statusText, hint } = body.error ?? {}
  throw new Failure(hint === undefined ? message : `${message}. ${hint}`, answer.status)
}

/** Resolves with what a path below /api answers; throws `Failure`. */
export function get<Body>(path: string): Promise<Body> {
  return ask<Body>(path)
}

/** Resolves with the answer to a body; throws its message. */
export function post<Body>(path: string, body: object = {}): Promise<Body> {
  return ask<Body>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Resolves when something is removed; throws why it is not. */
export function remove<Body>(path: string): Promise<Body> {
  return ask<Body>(path, { method: 'DELETE' })
}

type Told<Result> = { readonly result: Result } | { readonly error: { readonly message: string } }

/** Resolves with the result of a call of an interface that leaves no trace; throws its error. */
export async function call<Result>(side: 'eth' | 'comet' | 'rest', method: string, params?: unknown): Promise<Result> {
  const told = await post<Told<Result>>('/call', { side, method, ...(params === undefined ? {} : { params }) })
  if ('error' in told) throw new Error(told.error.message)
  return told.result
}
