/** The scenario format as JSON Schema, for editors (`mocks.md` §3.7). */
import { z } from 'zod'
import { describeKeys } from './keys/describeKeys.ts'
import { scenario } from './schema.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * What stands for a value until the file is read: an expression, or the name of an account or a
 * contract.
 */
const stand: JsonSchema = { type: 'string', pattern: '\\$\\{.+\\}|^@[\\w.-]+$' }

/** Names the schema for editors that cache it; the number is the version of the format. */
const schemaId = 'urn:chainstage:scenario:1'

/** Returns the schema; it takes an expression wherever reading a file works one out. */
export function scenarioJsonSchema(): JsonSchema {
  const schema: JsonSchema = z.toJSONSchema(scenario, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema, path }) => {
      const last = path.at(-1)
      // Nobody writes this: it stands for actions that wait.
      if (jsonSchema.properties?.['mine'] !== undefined) delete jsonSchema.properties['late']
      if (last === 'if')
        return void replace(jsonSchema, { type: ['boolean', 'string'], description: jsonSchema.description ?? '' })
      if (!isRead(path) && isNarrow(jsonSchema)) replace(jsonSchema, { anyOf: [{ ...jsonSchema }, stand] })
    },
  })
  describeKeys(schema)
  schema.$id = schemaId
  return schema
}

/** What is read before any expression is worked out. */
function isRead(path: readonly (string | number)[]): boolean {
  const [, key] = path
  return key === 'chainstage' || key === 'imports' || key === 'vars'
}

/** Whether a schema refuses texts, or some of them. */
function isNarrow({ type, pattern, format, enum: among, const: only }: JsonSchema): boolean {
  if (type === 'string') return (pattern ?? format ?? among ?? only) !== undefined
  return type === 'integer' || type === 'number' || type === 'boolean'
}

function replace(schema: JsonSchema, by: JsonSchema): void {
  for (const key of Object.keys(schema)) delete schema[key]
  Object.assign(schema, by)
}
