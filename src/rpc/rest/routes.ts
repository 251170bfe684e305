/** Finds the method for a path of the REST API (grpc-gateway v1; `cosmos-rest-grpc.md` §1). */
import { type HttpRoute, listHttpRoutes } from '../../codec/schema/lookup.ts'

/** A matched route, and the path's parameters by field name, in order. */
export type Matched = {
  readonly route: HttpRoute
  readonly values: readonly (readonly [field: string, value: string])[]
}

type Segment =
  | { readonly type: 'literal'; readonly text: string }
  | { readonly type: 'one'; readonly field: string }
  /** The rest of the path. */
  | { readonly type: 'rest'; readonly field: string }

type Compiled = { readonly route: HttpRoute; readonly segments: readonly Segment[]; readonly rank: string }

/** Services that the node serves over gRPC only. */
const withoutRoutes = /^(?:cosmos\.autocli\.|cosmos\.(?:base\.)?reflection\.|ibc\.core\.client\.v2\.|testpb\.)/

let compiled: readonly Compiled[] | undefined

/** Returns all served routes, by service. */
export function allRoutes(): readonly HttpRoute[] {
  return listHttpRoutes().filter(({ service }) => !withoutRoutes.test(service.name))
}

/** Returns the names of the fields that the path of a route contains. */
export function fieldsInPath(path: string): readonly string[] {
  return [...path.matchAll(/\{([^=}]+)/g)].map(([, name = '']) => name)
}

/** Returns the routes; if several match, the one with more literal segments comes first. */
function allCompiled(): readonly Compiled[] {
  compiled ??= allRoutes()
    .map(compiledRoute)
    .toSorted((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
  return compiled
}

function compiledRoute(route: HttpRoute): Compiled {
  const segments = route.path.slice(1).split('/').map(segmentOf)
  const rank = segments.map(({ type }) => (type === 'literal' ? '0' : type === 'one' ? '1' : '2')).join('')
  return { route, segments, rank }
}

function segmentOf(text: string): Segment {
  const [, field, rest] = /^\{([^=}]+)(=\*\*)?\}$/.exec(text) ?? []
  if (field === undefined) return { type: 'literal', text }
  return { type: rest === undefined ? 'one' : 'rest', field }
}

/** Returns the route for an unescaped path, or undefined. */
export function matchRoute(verb: string, path: string): Matched | undefined {
  const parts = path.slice(1).split('/')
  for (const { route, segments } of allCompiled()) {
    const values = route.verb === verb ? valuesOf(segments, parts) : undefined
    if (values !== undefined) return { route, values }
  }
  return undefined
}

function valuesOf(segments: readonly Segment[], parts: readonly string[]): Matched['values'] | undefined {
  const values: (readonly [string, string])[] = []
  for (const [index, segment] of segments.entries()) {
    if (segment.type === 'rest') {
      return parts.length < index ? undefined : [...values, [segment.field, parts.slice(index).join('/')]]
    }
    const part = parts[index]
    if (part === undefined || (segment.type === 'literal' && segment.text !== part)) {
      return undefined
    }
    if (segment.type === 'one') values.push([segment.field, part])
  }
  return segments.length === parts.length ? values : undefined
}
