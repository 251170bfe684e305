/**
 * The documentation of the REST API for `api.swagger`: all routes, built from their descriptors.
 */
import type { Field } from '../../codec/schema/descriptor.ts'
import { type HttpRoute, messageDescriptor } from '../../codec/schema/lookup.ts'
import { notFound, serverTime } from '../comet/page.ts'
import type { Framed } from '../transport.ts'
import { allRoutes, fieldsInPath } from './routes.ts'

const root = '/swagger/'

/** Returns the response for a path below `/swagger/`, or undefined for any other path. */
export function documentation(path: string): Framed | undefined {
  if (!path.startsWith(root)) return undefined
  switch (path.slice(root.length)) {
    case '':
      return page('text/html; charset=utf-8', html())
    case 'index.html':
      return { status: 301, headers: [['Location', './'], serverTime], body: '' }
    case 'swagger.yaml':
      return page('application/x-yaml', JSON.stringify(openApi()))
    default:
      return notFound
  }
}

function page(type: string, body: string): Framed {
  return { status: 200, headers: [['Content-Type', type], serverTime], body }
}

function html(): string {
  const items = allRoutes().map(({ verb, path, service, method }) => {
    const shown = `${verb} ${path}`
    const name = `${service.name}/${method.name}`
    return `<li>${verb === 'GET' && !path.includes('{') ? `<a href="${path}">${shown}</a>` : shown} <small>${name}</small></li>`
  })
  return (
    '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>REST API</title><h1>REST API</h1>' +
    `<p>The same for programs: <a href="swagger.yaml">swagger.yaml</a></p><ul>${items.join('\n')}</ul></html>\n`
  )
}

/** Returns an OpenAPI 2.0 document; its JSON is valid YAML too. */
function openApi(): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of allRoutes()) {
    const path = route.path.replaceAll('=**}', '}')
    paths[path] = { ...paths[path], [route.verb.toLowerCase()]: operationOf(route) }
  }
  return { swagger: '2.0', info: { title: 'REST API of a Cosmos EVM chain', version: 'v1' }, paths }
}

function operationOf({ service, method, path, body }: HttpRoute): object {
  const inPath = fieldsInPath(path)
  const { fields } = messageDescriptor(method.input)
  const queried = body === '' ? fields.filter(({ name }) => !inPath.includes(name)) : []
  return {
    operationId: `${service.name}.${method.name}`,
    tags: [service.name],
    parameters: [
      ...inPath.map((name) => ({ name, in: 'path', required: true, type: 'string' })),
      ...queried.flatMap((field) => parametersOf(field, '')),
      ...(body === '' ? [] : [{ name: 'body', in: 'body', schema: { type: 'object', title: method.input } }]),
    ],
    responses: { 200: { description: method.output } },
  }
}

/** Fields of nested messages are named with dots, at any depth. */
function parametersOf(field: Field, before: string): readonly object[] {
  const name = before + field.name
  if (field.kind !== 'message') {
    return [{ name, in: 'query', type: field.isList ? 'array' : typeOf(field), ...(field.isList && { items: {} }) }]
  }
  const isDeep = before !== '' || field.isList
  return isDeep ? [] : messageDescriptor(field.typeName).fields.flatMap((each) => parametersOf(each, `${name}.`))
}

function typeOf({ kind }: Field): string {
  if (kind === 'bool') return 'boolean'
  return kind === 'int32' || kind === 'uint32' ? 'integer' : 'string'
}
