/** Descriptors of the services that the node does not have, for clients that use reflection. */
import { type MessageValue, namedCodec } from '../../codec/schema/codecs.ts'
import { fileDescriptor } from '../../codec/schema/files.ts'

/** The services' full names. */
export const addedServices: readonly string[] = ['grpc.health.v1.Health', 'grpc.reflection.v1.ServerReflection']

const codec = namedCodec('google.protobuf.FileDescriptorProto')
const [optionalLabel, textType, enumType] = [1, 9, 14]

type Declaring = {
  readonly name: string
  readonly method?: readonly { readonly name: string; readonly [more: string]: unknown }[]
}
type File = MessageValue & {
  readonly name: string
  readonly package: string
  readonly messageType: readonly Declaring[]
  readonly service: readonly Declaring[]
}

/** Returns the bytes of an added file by its name or by a symbol in it; undefined for any other name. */
export function addedFile(asked: string): Uint8Array | undefined {
  if (bytesByName.size === 0) {
    for (const file of [healthFile, reflectionFile()]) {
      const bytes = codec.encode(file)
      for (const name of [file.name, ...symbolsOf(file)]) bytesByName.set(name, bytes)
    }
  }
  return bytesByName.get(asked)
}

/** Filled on first use, because few clients use reflection. */
const bytesByName = new Map<string, Uint8Array>()

function symbolsOf({ package: of, messageType, service }: File): readonly string[] {
  return [...messageType, ...service].flatMap(({ name, method = [] }) => [
    `${of}.${name}`,
    ...method.map((each) => `${of}.${name}.${each.name}`),
  ])
}

const statuses = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN']

const healthFile: File = {
  name: 'grpc/health/v1/health.proto',
  package: 'grpc.health.v1',
  syntax: 'proto3',
  messageType: [
    {
      name: 'HealthCheckRequest',
      field: [{ name: 'service', jsonName: 'service', number: 1, label: optionalLabel, type: textType }],
    } as Declaring,
    {
      name: 'HealthCheckResponse',
      field: [
        {
          name: 'status',
          jsonName: 'status',
          number: 1,
          label: optionalLabel,
          type: enumType,
          typeName: '.grpc.health.v1.HealthCheckResponse.ServingStatus',
        },
      ],
      enumType: [{ name: 'ServingStatus', value: statuses.map((name, number) => ({ name, number })) }],
    } as Declaring,
  ],
  service: [
    {
      name: 'Health',
      method: [
        {
          name: 'Check',
          inputType: '.grpc.health.v1.HealthCheckRequest',
          outputType: '.grpc.health.v1.HealthCheckResponse',
        },
        {
          name: 'Watch',
          inputType: '.grpc.health.v1.HealthCheckRequest',
          outputType: '.grpc.health.v1.HealthCheckResponse',
          serverStreaming: true,
        },
      ],
    } as Declaring,
  ],
}

/** Version v1 is v1alpha with another package name. */
function reflectionFile(): File {
  const alpha = codec.decode(fileDescriptor('grpc/reflection/v1alpha/reflection.proto') ?? new Uint8Array(0))
  return renamed(alpha) as File
}

function renamed(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('v1alpha', 'v1')
  if (Array.isArray(value)) return value.map(renamed)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, renamed(each)]))
}
