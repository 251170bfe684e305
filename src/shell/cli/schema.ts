import { Argument, Command } from 'commander'
import { z } from 'zod'
import type { Verb } from './verb.ts'

/** `chainstage schema`: prints the JSON Schema of scenarios for editors. */
export const schema: Verb = () =>
  new Command('schema')
    .description('Print the JSON Schema of scenarios or of the control API.')
    .addArgument(new Argument('[what]', 'Schema to print.').choices(['scenario', 'control']).default('scenario'))
    .option('--json', 'Print as JSON, which is the only format.')
    .action(async (what: string) => {
      process.stdout.write(`${JSON.stringify(what === 'control' ? await controlApi() : await scenario(), null, 2)}\n`)
    })

async function scenario() {
  const { scenarioJsonSchema } = await import('../../scenario/jsonSchema.ts')
  return scenarioJsonSchema()
}

async function controlApi() {
  const { allRoutes } = await import('../control/allRoutes.ts')
  return allRoutes.map(({ verb, path, summary, body }) => ({
    verb,
    path: `/api${path}`,
    summary,
    body: z.toJSONSchema(body),
  }))
}
