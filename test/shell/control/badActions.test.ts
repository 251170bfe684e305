/**
 * Every action of the control API refuses bodies of another shape; the cases come from its schemas.
 */
import test from 'ava'
import { z } from 'zod'
import { allRoutes } from '../../../src/shell/control/allRoutes.ts'
import { api, startControlled } from '../../helpers/control.ts'
import { schemaComplaints, type Schema } from '../../helpers/jsonSchema.ts'

const known = ['$ref', 'type', 'enum', 'items', 'required', 'properties', 'anyOf']
const candidates: readonly unknown[] = [true, 5, -1, 1.5, null, {}, []]

/** What our checker knows of a schema; the rest narrows it further. */
function plain(schema: Readonly<Record<string, unknown>>): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([word]) => known.includes(word)))
}

test('a body of another shape is refused by the name of its member, and nothing changes', async (t) => {
  await using server = await startControlled()
  const actions = allRoutes.filter(({ verb }) => verb === 'POST')
  let tried = 0
  for (const { path, body } of actions) {
    const { properties = {} } = z.toJSONSchema(body) as {
      properties?: Record<string, Record<string, unknown>>
    }
    const wrong = Object.entries(properties).flatMap(([name, schema]) =>
      candidates
        .filter(
          (value) => Object.keys(plain(schema)).length > 0 && schemaComplaints({}, plain(schema), value, '').length > 0,
        )
        .map((value) => [name, { [name]: value }] as const),
    )
    for (const [name, given] of [...wrong, ['bogus', { bogus: 1 }] as const]) {
      const before = server.simulation()
      const { status, body: told } = await api(server, path, given)
      t.is(status, 400, `${path} ${JSON.stringify(given)}: ${JSON.stringify(told)}`)
      t.true(told.error.message.includes(name), `${path} ${JSON.stringify(given)}: ${JSON.stringify(told)}`)
      t.true(server.simulation() === before, `${path} ${JSON.stringify(given)} changed something`)
      tried++
    }
  }
  t.true(tried > 80, `${tried} cases`)
})
