/** The control port's application: access checks, the API below /api, and the dashboard page. */
import Koa, { type Context, type Next } from 'koa'
import Router from 'koa-router'
import { z, ZodError } from 'zod'
import { isExpected, SimError, thrownInFull } from '../../errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { artifactFolders } from '../artifactFolders.ts'
import { lazily, notLoaded } from '../lazily.ts'
import { isAllowedHost, isTrustedOrigin } from '../transport/hosts.ts'
import { packageText } from '../packageFiles.ts'
import { sourceFolders } from '../sourceFolders.ts'
import { createAbis } from './abis.ts'
import { ActionMetBug, ActionUnconfirmed } from './act.ts'
import type { Controlled, ControlledProcess } from './controlled.ts'
import { fetched } from './fetched.ts'
import { sendLive } from './live.ts'
import { NotThere, type ControlRoute } from './route.ts'
import { routes } from './routes.ts'

const bodyMost = 1024 * 1024

const importExplorer = () => import('./explorerRoutes.ts').then(({ explorerRoutes }) => explorerRoutes)

/**
 * Returns the application as a request handler. A request for the explorer is refused and an error logged if
 * `loadExplorer` fails.
 */
export function createApp(given: ControlledProcess, settings: () => Settings, loadExplorer = importExplorer) {
  const controlled = withContracts(given)
  const app = new Koa()
  app.on('error', (error: unknown) => tell(controlled, error))
  app.use(answering(controlled))
  app.use(guarded(settings))
  app.use(inSession)
  const router = new Router()
  router.get('/api', async (context: Context) => {
    const { allRoutes } = await import('./allRoutes.ts').catch(refusing(controlled))
    sendJson(context, index(allRoutes))
  })
  router.get('/api/live', (context: Context) => {
    const instance = instanceOf(context, controlled)
    context.respond = false
    sendLive(context.res, instance, controlled)
  })
  for (const route of routes) add(router, route, controlled)
  app.use(withExplorer(router, controlled, loadExplorer))
  app.use(router.routes())
  app.use(page)
  return app.callback()
}

function withContracts(given: ControlledProcess): Controlled {
  const folders = given.artifactFolders
  const artifacts = artifactFolders(folders, Date.now)
  return {
    ...given,
    abis: createAbis(given.scenarioFiles, artifacts),
    sources: sourceFolders(folders, artifacts, Date.now),
  }
}

/** Rejects foreign host names, and changes requested by untrusted pages, as the other ports do. */
function guarded(settings: () => Settings) {
  return async (context: Context, next: Next) => {
    const { host = '', origin } = context.headers
    if (!isAllowedHost(host, settings())) {
      context.throw(403, `expected an allowed host name, received "${host}": allow it with --allowed-hosts`)
    }
    const changes = context.method !== 'GET' && context.method !== 'HEAD'
    if (changes && !isTrustedOrigin(origin, settings())) {
      context.throw(403, `pages of ${origin ?? ''} may not change this chain: allow them with --allowed-origins`)
    }
    context.set('X-Content-Type-Options', 'nosniff')
    context.set(
      'Content-Security-Policy',
      "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    )
    context.set('Referrer-Policy', 'no-referrer')
    await next()
  }
}

function answering(controlled: Controlled) {
  return async (context: Context, next: Next): Promise<void> => {
    try {
      await next()
      if (context.respond !== false && context.status === 404 && context.body === undefined) {
        throw new NotThere(context.path)
      }
    } catch (error) {
      const { status, ...body } = failureOf(error)
      if (status >= 500 && !isExpected(error)) tell(controlled, error)
      context.status = status
      sendJson(context, { error: body })
    }
  }
}

function tell({ log }: Controlled, error: unknown): void {
  // A client that disconnects is no error. HPE_ codes are of Node's parser: a request ended in its middle.
  if (error instanceof Error && 'code' in error && /^(?:ECONNRESET|EPIPE|HPE_\w+)$/.test(String(error.code))) return
  log('error', `the control port could not answer: ${thrownInFull(error)}`)
}

function failureOf(error: unknown) {
  if (error instanceof ZodError) {
    const message = error.issues
      .map(({ path, message: text }) => (path.length > 0 ? `${path.join('.')}: ${text}` : text))
      .join('; ')
    const hint = 'GET /api lists every body with its schema.'
    return { status: 400, code: 'BAD_REQUEST', message, hint }
  }
  if (isExpected(error)) {
    return { status: statusOf(error), code: error.code, message: error.message, hint: error.hint }
  }
  if (error instanceof ActionMetBug) {
    return { status: 500, code: error.code, message: error.message, hint: error.hint }
  }
  const { status = 500, message } = error as { status?: number; message: string }
  return status === 500
    ? { status, code: 'INTERNAL', message: 'a bug in chainstage; its log says more' }
    : { status, code: 'REFUSED', message }
}

function statusOf(error: SimError): number {
  if (error instanceof NotThere) return 404
  if (error instanceof NotLoaded) return 503
  return error instanceof ActionUnconfirmed ? 504 : 400
}

/** Thrown when the explorer's code cannot be loaded, for example because the package was updated meanwhile. */
class NotLoaded extends SimError {
  constructor(message: string) {
    super('NOT_LOADED', message)
  }
}

/** Routes `/s/NAME` to a session, as the other ports do. */
async function inSession(context: Context, next: Next): Promise<void> {
  const match = /^\/s\/([^/]+)(\/.*)?$/.exec(context.path)
  context.state['session'] = match?.[1] ?? ''
  if (match !== null) context.path = match[2] ?? '/'
  await next()
}

function instanceOf(context: Context, { sessions }: Controlled) {
  const name = String(context.state['session'])
  const found = sessions.find(name)
  if (found === undefined) {
    // A chain port creates sessions, but a misspelt name here would show a chain that nobody uses.
    throw new NotThere(
      `session ${name}`,
      `Send a request to /s/${name} of a chain port such as Ethereum JSON-RPC first, or create it with POST /api/sessions.`,
    )
  }
  return found
}

function add(router: Router, route: ControlRoute, controlled: Controlled): void {
  router.register(`/api${route.path}`, [route.verb], async (context: Context) => {
    const body = route.verb === 'POST' ? await bodyOf(context) : undefined
    context.set('Cache-Control', 'no-store')
    const instance = instanceOf(context, controlled)
    const asked = {
      ...{ controlled, instance, body },
      params: context['params'] as Record<string, string>,
      query: queryOf(context),
    }
    const read = () => route.handle(asked)
    const answer = await (route.otherChain === undefined ? read() : fetched(instance, read, route.otherChain))
    await instance.kept()
    sendJson(context, answer ?? {})
  })
}

/**
 * Sends a value as JSON text. For any other type of body koa checks for a `Response`, which makes
 * Node load its fetch implementation.
 */
function sendJson(context: Context, value: unknown): void {
  context.set('Content-Type', 'application/json; charset=utf-8')
  context.body = JSON.stringify(value)
}

function queryOf(context: Context): Record<string, string | undefined> {
  const repeated = Object.keys(context.query).find((name) => Array.isArray(context.query[name]))
  if (repeated !== undefined) context.throw(400, `expected one value of "${repeated}" in the query, received several`)
  return context.query as Record<string, string | undefined>
}

/** The most levels of lists and objects in a body. Deeper values would overflow the stack of their readers. */
const levelsMost = 1000

function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth <= levelsMost; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
    if (level.length === 0) return false
  }
  return true
}

async function bodyOf(context: Context): Promise<unknown> {
  const body = await jsonOf(context)
  if (isTooDeep(body)) context.throw(400, `expected a body of at most ${levelsMost} levels`)
  return body
}

async function jsonOf(context: Context): Promise<unknown> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of context.req as AsyncIterable<Buffer>) {
    size += part.length
    if (size > bodyMost) context.throw(413, 'the body is too large')
    parts.push(part)
  }
  const text = Buffer.concat(parts).toString()
  try {
    return text === '' ? {} : (JSON.parse(text) as unknown)
  } catch {
    return context.throw(400, 'expected a body of JSON')
  }
}

/** Adds the explorer's routes to the router when the first request arrives that no other route serves. */
function withExplorer(router: Router, controlled: Controlled, load: typeof importExplorer) {
  const added = lazily(async () => {
    for (const route of await load()) add(router, route, controlled)
  })
  return async (context: Context, next: Next) => {
    const isServed = router.match(context.path, context.method).route
    if (!isServed && context.path.startsWith('/api/')) {
      await added().catch(refusing(controlled))
    }
    await next()
  }
}

/** Returns a function that logs why the explorer could not be loaded, and throws `NotLoaded`. */
function refusing({ log }: Controlled) {
  return (error: unknown): never => {
    const text = notLoaded('the explorer', error)
    log('error', text)
    throw new NotLoaded(text)
  }
}

function index(routes: readonly ControlRoute[]) {
  return routes.map(({ verb, path, summary, body }) => ({
    verb,
    path: `/api${path}`,
    summary,
    ...(verb === 'POST' ? { body: z.toJSONSchema(body) } : {}),
  }))
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/**
 * Serves the files of the page. File names contain no folders, so that no other file can be read.
 */
async function page(context: Context, next: Next): Promise<void> {
  const name = context.path === '/' ? 'index.html' : context.path.slice(1)
  const type = types[/^[a-zA-Z]+\.([a-z]+)$/.exec(name)?.[1] ?? '']
  if (type === undefined || !['GET', 'HEAD'].includes(context.method)) return next()
  try {
    context.body = packageText(`dist/dashboard/${name}`)
    context.set('Content-Type', type)
    context.set('Cache-Control', 'no-cache')
  } catch {
    await next()
  }
}
