/** The scenario format as JSON Schema, for editors (`mocks.md` §3.7). */
import { z } from 'zod'
import { describeKeys } from './keys/describeKeys.ts'
import { scenario } from './schema.ts'
import { lateKey } from './shapes.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** A placeholder for a value: an expression, or the name of an account or contract. */
const stand: JsonSchema = { type: 'string', pattern: '\\$\\{.+\\}|^@[\\w.-]+$' }

/** The id of the schema, for editors that cache it; the number is the format version. */
const schemaId = 'urn:chainstage:scenario:1'

/** Returns the schema. It accepts an expression wherever the reader evaluates one. */
export function scenarioJsonSchema(): JsonSchema {
  const schema: JsonSchema = z.toJSONSchema(scenario, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema, path }) => {
      const last = path.at(-1)
      if (jsonSchema.properties?.['mine'] !== undefined) delete jsonSchema.properties[lateKey]
      if (last === 'if')
        return void replace(jsonSchema, { type: ['boolean', 'string'], description: jsonSchema.description ?? '' })
      if (!isRead(path) && isNarrow(jsonSchema)) replace(jsonSchema, { anyOf: [{ ...jsonSchema }, stand] })
    },
  })
  describeKeys(schema)
  schema.$id = schemaId
  return schema
}

/** Returns whether a key is read before expressions are evaluated. */
function isRead(path: readonly (string | number)[]): boolean {
  const [, key] = path
  return key === 'chainstage' || key === 'imports' || key === 'vars'
}

/** Returns whether a schema rejects some or all texts. */
function isNarrow({ type, pattern, format, enum: among, const: only }: JsonSchema): boolean {
  if (type === 'string') return (pattern ?? format ?? among ?? only) !== undefined
  return type === 'integer' || type === 'number' || type === 'boolean'
}

function replace(schema: JsonSchema, by: JsonSchema): void {
  for (const key of Object.keys(schema)) delete schema[key]
  Object.assign(schema, by)
}
