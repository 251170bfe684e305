/** The examples of the reference page hold over both interfaces, on a chain as the command starts it. */
import test from 'ava'
import { cosmosServices } from '../../docs/cosmosExamples.ts'
import { GrpcClient } from '../../helpers/grpc.ts'
import { startLocal } from '../../helpers/server.ts'

const reflection = '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo'
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

test('every gRPC method answers the same example, or refuses it too', async (t) => {
  await using server = await startLocal({ seed: 'local' })
  using client = new GrpcClient(server.urls.grpc.replace('http://', ''))
  for (const { name, examples } of services) {
    const service = await client.service(reflection, name)
    for (const { method, request, refused } of examples) {
      const { code, details } = await service.call(method, request)
      t.is(code === 0, refused === undefined, `${name}/${method}: ${code} ${details}`)
    }
  }
})
