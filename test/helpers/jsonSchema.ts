/** JSON Schema, as much of it as documents of RPC interfaces use. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

export type Shapes = Readonly<Record<string, Schema>>

const known = new Set([
  '$ref',
  'type',
  'const',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'items',
  'required',
  'properties',
  'patternProperties',
  'additionalProperties',
  'oneOf',
  'anyOf',
  'allOf',
])

/** Returns where a value is not as a schema says; a `$ref` names one of `shapes`. */
export function schemaComplaints(shapes: Shapes, schema: Schema, value: unknown, path: string): string[] {
  const unknown = Object.keys(schema).find((word) => !known.has(word))
  if (unknown !== undefined) throw new Error(`${path}: the schema says ${unknown}`)
  const inner = (one: Schema, of = value, at = path) => schemaComplaints(shapes, one, of, at)
  const { $ref, oneOf, anyOf, allOf = [] } = schema
  if ($ref !== undefined) {
    const shape = shapes[$ref]
    if (shape === undefined) throw new Error(`no shape ${$ref}`)
    return inner(shape)
  }
  return [
    ...plainComplaints(schema, value, path),
    ...objectComplaints(schema, value, path, inner),
    ...(Array.isArray(value) && schema.items !== undefined
      ? value.flatMap((each) => inner(schema.items ?? {}, each, `${path}[]`))
      : []),
    ...allOf.flatMap((one) => inner(one)),
    ...(oneOf === undefined
      ? []
      : choiceComplaints(
          oneOf.map((one) => inner(one)),
          path,
          true,
        )),
    ...(anyOf === undefined
      ? []
      : choiceComplaints(
          anyOf.map((one) => inner(one)),
          path,
          false,
        )),
  ]
}

/** Of choices that all fail, what the nearest one complains of. */
function choiceComplaints(all: readonly string[][], path: string, isOne: boolean): string[] {
  const fitting = all.filter((one) => one.length === 0).length
  if (fitting > 1 && isOne) return [`${path}: fits ${fitting} choices`]
  // A choice of another type is further away than any of the right one.
  const distance = (one: readonly string[]) => one.length + (one[0]?.startsWith(`${path}: `) === true ? 1000 : 0)
  return fitting > 0 ? [] : (all.toSorted((a, b) => distance(a) - distance(b))[0] ?? [`${path}: no choice`])
}

function plainComplaints(
  { type, const: only, enum: list, pattern, minimum, maximum }: Schema,
  value: unknown,
  path: string,
): string[] {
  const types = type === undefined ? undefined : [type].flat()
  const name = typeName(value)
  if (types !== undefined && !types.some((one) => one === name || (one === 'integer' && Number.isSafeInteger(value)))) {
    return [`${path}: ${types.join(' or ')}, not ${name}`]
  }
  const isOutside = typeof value === 'number' && (value < (minimum ?? -Infinity) || value > (maximum ?? Infinity))
  const isListed = list === undefined || list.includes(value)
  return [
    ...(only === undefined || only === value ? [] : [`${path}: not ${String(only)}`]),
    ...(isListed ? [] : [`${path}: none of ${list.join()}`]),
    ...(isOutside ? [`${path}: out of range`] : []),
    ...(pattern === undefined || typeof value !== 'string' || new RegExp(pattern).test(value)
      ? []
      : [`${path}: not ${pattern}`]),
  ]
}

type Inner = (schema: Schema, value: unknown, path: string) => string[]

function objectComplaints(schema: Schema, value: unknown, path: string, inner: Inner): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const { required = [], properties = {}, patternProperties = {}, additionalProperties = true } = schema
  return [
    ...required.filter((name) => !(name in value)).map((name) => `${path}.${name}: missing`),
    ...Object.entries(value).flatMap(([name, each]) => {
      const fitting = [
        ...(name in properties ? [properties[name] ?? {}] : []),
        ...Object.entries(patternProperties)
          .filter(([pattern]) => new RegExp(pattern).test(name))
          .map(([, one]) => one),
      ]
      if (fitting.length === 0 && !additionalProperties) return [`${path}.${name}: not documented`]
      return fitting.flatMap((one) => inner(one, each, `${path}.${name}`))
    }),
  ]
}

function typeName(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}
