/** The reference page of the REST API and gRPC, made from the descriptors of the services. */
import { fieldsInPath } from '../../src/rpc/rest/routes.ts'
import { type CosmosExample, type CosmosService, cosmosServices, unreachable } from './cosmosExamples.ts'

const rest = 'http://127.0.0.1:1317'

/** Returns the text of `docs/reference/rest-and-grpc.md`. */
export function cosmosText(): string {
  const sections = cosmosServices().map(sectionOf)
  return `# REST and gRPC

Look up the routes of the REST API on port 1317 and the gRPC methods on port 9090. Both answer the same queries. A route has the fields
of the method's message in its path, its query or, with \`POST\`, its body.

Each line has an example. Start \`npx chainstage\`, and its link shows the answer. Where a new chain lacks something, such as a proposal
or a channel, the line says which status the answer has, and what is missing. Tests send every example. The
transaction of the examples transfers 1 atest without a signature or a fee: it can be simulated, and \`BroadcastTx\` names the reason for
which it is refused.

* Over gRPC, send the fields as a message: \`grpcurl -plaintext -d '{"denom":"atest"}' 127.0.0.1:9090 cosmos.bank.v1beta1.Query/SupplyOf\`.
* \`x-cosmos-block-height\`, as a header or as metadata, asks for the state at a height.
* Lists have pages: \`pagination.limit\`, \`pagination.offset\`, \`pagination.key\`, \`pagination.count_total\` and \`pagination.reverse\`.
* gRPC-web shares port 1317. Start with \`--api.swagger\` to browse the routes at <${rest}/swagger/>.

${sections.join('\n')}`
}

function sectionOf({ name, examples }: CosmosService): string {
  const bodies = examples.filter(({ route }) => route !== undefined && route.body !== '')
  return `## ${name}

| method | route | fields | example |
|---|---|---|---|
${examples.map((example) => rowOf(name, example)).join('\n')}
${bodies.map(bodyOf).join('')}`
}

function rowOf(service: string, example: CosmosExample): string {
  const { method, route, fields, refused } = example
  const inPath = fieldsInPath(route?.path ?? '')
  const others = fields.filter((name) => !inPath.includes(name)).map((name) => `*${name}*`)
  const path =
    `${service}/${method}` === unreachable ? 'none: that of `AddressBytesToString` matches first' : 'gRPC only'
  const shown = route === undefined ? path : `\`${route.verb} ${route.path}\``
  const status = route === undefined ? '' : ` ${refused?.status},`
  const why = refused === undefined ? '' : `${status} ${refused.why}`
  return `| \`${method}\` | ${shown} | ${others.join(', ')} | ${requestIn(example)}${why} |`
}

function requestIn({ route, request }: CosmosExample): string {
  if (route === undefined) return `\`${JSON.stringify(request)}\``
  return route.body === '' ? `[try](${rest}${route.target})` : 'below'
}

function bodyOf({ route, request }: CosmosExample): string {
  return `
\`POST ${route?.path}\`:

\`\`\`json
${JSON.stringify(request, undefined, 2)}
\`\`\`
`
}
