/**
 * Looks up messages, enumerations and services by full name, such as `cosmos.bank.v1beta1.MsgSend`.
 */
import { AssertionFailed } from '../../errors.ts'
import type {
  EnumDescriptor,
  FileDescriptor,
  HttpBinding,
  MessageDescriptor,
  MethodDescriptor,
  ServiceDescriptor,
} from './descriptor.ts'
import { fileDeclaring, fileDescriptor, fileNames, registeredTypeUrls, servedServices } from './files.ts'
import { readFile, readServices } from './readDescriptor.ts'

const read = new Map<string, FileDescriptor>()
const messages = new Map<string, MessageDescriptor>()
const enums = new Map<string, EnumDescriptor>()
const services = new Map<string, ServiceDescriptor>()
const noBytes = new Uint8Array(0)

/** Returns a message, or undefined if no file declares the name. */
export function findMessage(name: string): MessageDescriptor | undefined {
  return found(messages, name)
}

/** Returns a message. Throws `AssertionFailed` if no file declares the name. */
export function messageDescriptor(name: string): MessageDescriptor {
  const descriptor = findMessage(name)
  if (descriptor === undefined) throw new AssertionFailed(`no protobuf message is called ${name}`)
  return descriptor
}

/** Returns an enumeration, or undefined if no file declares the name. */
export function findEnum(name: string): EnumDescriptor | undefined {
  return found(enums, name)
}

/** Returns a service, or undefined if no file declares the name. */
export function findService(name: string): ServiceDescriptor | undefined {
  const known = services.get(name)
  const file = known === undefined ? fileOfSymbol(name) : undefined
  if (file === undefined) return known
  for (const each of readServices(fileDescriptor(file) ?? noBytes)) services.set(each.name, each)
  return services.get(name)
}

/** Returns the method of a gRPC path such as `/cosmos.bank.v1beta1.Query/Balance`, or undefined. */
export function findMethod(path: string): MethodDescriptor | undefined {
  const [, service = '', name] = /^\/([^/]+)\/([^/]+)$/.exec(path) ?? []
  return findService(service)?.methods.find((method) => method.name === name)
}

/** Returns the services that the node serves, sorted by name. */
export function listServices(): readonly ServiceDescriptor[] {
  return servedServices.flatMap((name) => findService(name) ?? [])
}

/** An HTTP route of a served method. */
export type HttpRoute = HttpBinding & {
  readonly service: ServiceDescriptor
  readonly method: MethodDescriptor
}

/** Returns the HTTP routes that the `google.api.http` options of the served services declare. */
export function listHttpRoutes(): readonly HttpRoute[] {
  return listServices().flatMap((service) =>
    service.methods.flatMap((method) => method.http.map((binding) => ({ ...binding, service, method }))),
  )
}

/**
 * Returns the name of the file that declares a message, enumeration, service, method or field, or
 * undefined. The symbol may start with a dot.
 */
export function fileOfSymbol(symbol: string): string | undefined {
  for (let name = symbol.replace(/^\./, ''); name !== ''; name = parentOf(name)) {
    const file = fileDeclaring(name)
    if (file !== undefined) return file
  }
  return undefined
}

/** Returns a descriptor by name, or undefined; its file is read on first use. */
function found<Described>(known: ReadonlyMap<string, Described>, name: string): Described | undefined {
  const file = known.has(name) ? undefined : fileOfSymbol(name)
  if (file !== undefined) readOnce(file)
  return known.get(name)
}

function parentOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')))
}

/** Returns the descriptor of a file, or undefined. */
export function findFile(name: string): FileDescriptor | undefined {
  return fileNames.includes(name) ? readOnce(name) : undefined
}

function readOnce(name: string): FileDescriptor | undefined {
  const known = read.get(name)
  const bytes = known === undefined ? fileDescriptor(name) : undefined
  if (bytes === undefined) return known
  const file = readFile(bytes)
  read.set(name, file)
  for (const each of file.messages) messages.set(each.name, each)
  for (const each of file.enums) enums.set(each.name, each)
  return file
}

/**
 * Returns the registered message with an amino name such as `cosmos-sdk/MsgSend`, or undefined. The
 * first call reads the files of all registered messages.
 */
export function messageOfAminoName(aminoName: string): MessageDescriptor | undefined {
  return aminoMessages().get(aminoName)
}

/** Returns the registered messages by amino name. */
export function aminoMessages(): ReadonlyMap<string, MessageDescriptor> {
  byAminoName ??= new Map(
    [...registeredTypeUrls()].flatMap((typeUrl) => {
      const found = findMessage(typeUrl.slice(1))
      return found?.aminoName === undefined ? [] : [[found.aminoName, found]]
    }),
  )
  return byAminoName
}

let byAminoName: ReadonlyMap<string, MessageDescriptor> | undefined
