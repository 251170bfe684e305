// The control API of the chain this page is about: the main one, or the session its path names.
export const session = /^\/s\/([^/]+)/.exec(location.pathname)?.[1] ?? ''
const base = `${session === '' ? '' : `/s/${session}`}/api`

export const liveUrl = `${base}/live`

async function ask(path, options) {
  const answer = await fetch(`${base}${path}`, options)
  const body = await answer.json()
  if (answer.ok) return body
  const { message, hint } = body.error
  throw new Error(hint === undefined ? message : `${message}. ${hint}`)
}

export const get = (path) => ask(path)
export const post = (path, body = {}) =>
  ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
export const remove = (path) => ask(path, { method: 'DELETE' })
