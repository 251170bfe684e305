/**
 * gRPC server reflection, which tells generic clients such as grpcurl about the methods. Every
 * response contains all imports of its file, even if an earlier response of the stream contained
 * them.
 */
import { grpcCodes, GrpcStatus } from '../../app/grpcStatus.ts'
import { ProtobufError } from '../../codec/protobuf/wire.ts'
import { namedCodec } from '../../codec/schema/codecs.ts'
import { fileDescriptor, servedServices } from '../../codec/schema/files.ts'
import { fileOfSymbol, findFile, findMessage } from '../../codec/schema/lookup.ts'
import { declaresSymbol, extensionsOf, fileOfExtension } from '../../codec/schema/symbols.ts'
import { SimError } from '../../errors.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Method } from '../method.ts'
import { addedFile, addedServices } from './addedServices.ts'
import { grpcQuery } from './grpcMethod.ts'

const request = namedCodec('grpc.reflection.v1alpha.ServerReflectionRequest')
const response = namedCodec('grpc.reflection.v1alpha.ServerReflectionResponse')

/** Returns the only method of one version of the reflection service. */
export function serverReflection(version: 'v1alpha' | 'v1'): Method {
  return grpcQuery(`grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`, ({ node }, data) =>
    data === undefined ? undefined : answerTo(data, hasQuirk(node.settings, 'no-grpc-health')),
  )
}

type ReflectionRequest = {
  readonly host: string
  readonly fileByFilename?: string
  readonly fileContainingSymbol?: string
  readonly fileContainingExtension?: { containingType: string; extensionNumber: number }
  readonly allExtensionNumbersOfType?: string
  readonly listServices?: string
}

/** With `isNodeOnly`, services that chainstage adds are not served and therefore not listed. */
function answerTo(data: Uint8Array, isNodeOnly: boolean): Uint8Array {
  const asked = readRequest(data)
  return response.encode({
    validHost: asked.host,
    originalRequest: asked,
    ...orNotFound(() => found(asked, isNodeOnly)),
  })
}

function readRequest(data: Uint8Array): ReflectionRequest {
  try {
    return request.decode(data) as ReflectionRequest
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    // google.golang.org/protobuf writes a no-break space here.
    throw new GrpcStatus(
      grpcCodes.internal,
      'grpc: failed to unmarshal the received message: ' + 'proto:\u00a0cannot parse invalid wire-format data',
    )
  }
}

function found(asked: ReflectionRequest, isNodeOnly: boolean): object {
  const { fileByFilename, fileContainingSymbol, fileContainingExtension } = asked
  const { allExtensionNumbersOfType, listServices } = asked
  const added = isNodeOnly ? undefined : addedFile(fileByFilename ?? fileContainingSymbol ?? '')
  if (added !== undefined) return { fileDescriptorResponse: { fileDescriptorProto: [added] } }
  if (fileByFilename !== undefined) return filesFrom(fileByFilename)
  if (fileContainingSymbol !== undefined) return filesFrom(fileOf(fileContainingSymbol))
  if (fileContainingExtension !== undefined) {
    const { containingType, extensionNumber } = fileContainingExtension
    const all = extensionsOfType(containingType)
    const file = all.find(({ number }) => number === extensionNumber)?.file
    if (file !== undefined) return filesFrom(file)
    throw new NotFound(`failed to find registered extension for extension number ${extensionNumber}`)
  }
  if (allExtensionNumbersOfType !== undefined) {
    const extensionNumber = extensionsOfType(allExtensionNumbersOfType).map(({ number }) => number)
    return {
      allExtensionNumbersResponse: { baseTypeName: allExtensionNumbersOfType, extensionNumber },
    }
  }
  if (listServices === undefined) {
    throw new GrpcStatus(grpcCodes.invalidArgument, 'invalid MessageRequest: <nil>')
  }
  const names = isNodeOnly ? servedServices : [...servedServices, ...addedServices].toSorted()
  return { listServicesResponse: { service: names.map((name) => ({ name })) } }
}

function fileOf(symbol: string): string {
  const file = symbol.startsWith('.') ? undefined : fileOfSymbol(symbol)
  if (file !== undefined && declaresSymbol(file, symbol)) return file
  const extending = fileOfExtension(symbol)
  if (extending !== undefined) return extending
  throw new NotFound(`unknown symbol: ${symbol}`)
}

function extensionsOfType(name: string) {
  if (findMessage(name) === undefined) throw new NotFound(`unknown type: "${name}"`)
  return extensionsOf(name)
}

/** Returns a file and all its imports, nearest first. */
function filesFrom(name: string): object {
  if (findFile(name) === undefined) throw new NotFound(`unknown file: ${name}`)
  const names = new Set([name])
  for (const each of names) for (const next of findFile(each)?.imports ?? []) names.add(next)
  return {
    fileDescriptorResponse: {
      fileDescriptorProto: [...names].flatMap((each) => fileDescriptor(each) ?? []),
    },
  }
}

/** If nothing is found, the response says so and the stream continues. */
function orNotFound(find: () => object): object {
  try {
    return find()
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    return { errorResponse: { errorCode: grpcCodes.notFound, errorMessage: error.message } }
  }
}

/** An error that is reported to the client in a response. */
class NotFound extends SimError {
  constructor(text: string) {
    super('NOT_REFLECTED', text)
  }
}
