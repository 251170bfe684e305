/** The examples of the reference page hold over both interfaces, on a chain as the command starts it. */
import test from 'ava'
import { cosmosServices } from '../../docs/cosmosExamples.ts'
import { GrpcClient, reflectionV1alpha } from '../../helpers/grpc.ts'
import { startLocal } from '../../helpers/server.ts'

/** The codes of gRPC by the status that the gateway writes for them. */
const codes = new Map<number, number>([
  [200, 0],
  [400, 3],
  [404, 5],
  [500, 13],
])
const services = cosmosServices()

test('every route answers its example, or says what a new chain lacks', async (t) => {
  await using server = await startLocal({ seed: 'local' })
  for (const { route, request, refused } of services.flatMap(({ examples }) => examples)) {
    if (route === undefined) continue
    const body = route.body === '' ? {} : { body: JSON.stringify(request) }
    const response = await fetch(`${server.urls.rest}${route.target}`, { method: route.verb, ...body })
    t.is(response.status, refused?.status ?? 200, `${route.target}: ${await response.text()}`)
  }
})

test('every gRPC method answers the same example, or refuses it with the code of the same status', async (t) => {
  await using server = await startLocal({ seed: 'local' })
  using client = new GrpcClient(server.urls.grpc)
  for (const { name, examples } of services) {
    const service = await client.service(reflectionV1alpha, name)
    for (const { method, request, refused } of examples) {
      const { code, details } = await service.call(method, request)
      t.is(codes.get(refused?.status ?? 200), code, `${name}/${method}: ${details}`)
    }
  }
})
