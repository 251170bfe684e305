/** The reference page of the control API, made from its routes. */
import { z } from 'zod'
import { allRoutes } from '../../src/shell/control/allRoutes.ts'

/** Returns the text of `docs/reference/control-api.md`. */
export function controlText(): string {
  const rows = allRoutes.map(({ verb, path, summary, body }) => {
    const words = summary.split('; ?')
    const [said = ''] = words
    const query = words.length > 1 ? ` Query: \`?${words[1]?.replace(/\.$/, '').replaceAll('|', '\\|')}\`` : ''
    return `| \`${verb} /api${path}\` | ${said.replace(/\.?$/, '.')}${query} | ${verb === 'POST' ? bodyOf(body) : ''} |`
  })
  return `# Control API

Read and control a running chain from a script or another language. The dashboard and commands such as \`chainstage mine\` use the same API.

\`\`\`sh
npx chainstage start
\`\`\`

\`\`\`sh
curl --silent http://127.0.0.1:8555/api/status
curl --silent -X POST -d '{"blocks":3}' http://127.0.0.1:8555/api/mine
\`\`\`

* The API listens on port 8555 of this machine only. \`--control HOST:PORT\` moves it, and \`--control ''\` turns it off.
* \`--expose-control\` lets other machines reach it. Anyone who reaches it controls the chain.
* Put \`/s/NAME\` before \`/api\` to address a session that exists: \`/s/NAME/api/status\`.
* A refused request has a status of 400 or more and the body \`{ "error": { "code", "message", "hint" } }\`.
* \`GET /api\` lists the routes. \`chainstage schema control\` prints the JSON Schema of every body.

In the third column, \`?\` marks keys that may be omitted.

| route | description | JSON body |
|---|---|---|
${rows.join('\n')}
`
}

function bodyOf(body: z.ZodType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(body)
  return Object.keys(properties)
    .map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``)
    .join(', ')
}
