/** A generic gRPC client, which learns what it calls by server reflection as grpcurl does. */
import { createRequire } from 'node:module'
import { credentials, makeGenericClientConstructor, Metadata, type StatusObject } from '@grpc/grpc-js'

// protobufjs reads descriptors; grpc-js brings it.
const own = createRequire(import.meta.url)
const protobuf = createRequire(own.resolve('@grpc/proto-loader'))('protobufjs') as ProtobufJs
createRequire(own.resolve('@grpc/proto-loader'))('protobufjs/ext/descriptor')

type MessageType = {
  encode: (value: object) => { finish: () => Uint8Array }
  decode: (bytes: Uint8Array) => object
  toObject: (value: object, options: object) => Record<string, unknown>
  fromObject: (value: object) => object
}
type ProtobufJs = {
  Root: {
    fromDescriptor: (set: object) => {
      resolveAll: () => void
      lookupService: (name: string) => {
        methods: Record<
          string,
          {
            resolve: () => { resolvedRequestType: MessageType; resolvedResponseType: MessageType }
          }
        >
      }
    }
  }
  descriptor: { FileDescriptorProto: { decode: (bytes: Uint8Array) => object } }
}

export type Called = {
  readonly code: number
  readonly details: string
  readonly metadata: Metadata | undefined
  readonly bytes: Buffer | undefined
}

/** The method of server reflection that grpcurl calls first. */
export const reflectionV1alpha = '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo'

const pass = (bytes: Buffer): Buffer => bytes
const Client = makeGenericClientConstructor({}, 'any')

type Declaring = {
  readonly name?: string | null
  readonly enumType?: readonly { readonly value?: readonly object[] | null }[] | null
  readonly messageType?: readonly Declaring[] | null
  readonly nestedType?: readonly Declaring[] | null
}

/** Throws where a value of an enumeration has no number, not even 0: clients in Go refuse such a file. */
function assertNumbered({ name, enumType, messageType, nestedType }: Declaring): void {
  const values = (enumType ?? []).flatMap(({ value }) => value ?? [])
  if (!values.every((value) => Object.hasOwn(value, 'number'))) throw new Error(`${name}: a value without a number`)
  for (const each of [...(messageType ?? []), ...(nestedType ?? [])]) assertNumbered(each)
}

/** Calls methods with bytes. Dispose of it with `using`. */
export class GrpcClient {
  readonly #client

  constructor(address: string) {
    this.#client = new Client(address, credentials.createInsecure(), {
      'grpc.enable_retries': 0,
      'grpc.max_receive_message_length': -1,
    })
  }

  /** Resolves with whatever a call came to; `path` is `/package.Service/Method`. */
  call(
    path: string,
    message: Uint8Array,
    {
      headers = {},
      timeoutMs = 120_000,
    }: {
      headers?: Record<string, string>
      timeoutMs?: number
    } = {},
  ): Promise<Called> {
    const metadata = new Metadata()
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
    return new Promise((done) => {
      let first: Metadata | undefined
      const call = this.#client.makeUnaryRequest(
        path,
        pass,
        pass,
        Buffer.from(message),
        metadata,
        { deadline: Date.now() + timeoutMs },
        (error, bytes) => {
          const { code = 0, details = '' }: Partial<StatusObject> = error ?? {}
          done({ code, details, metadata: first, bytes })
        },
      )
      call.on('metadata', (got: Metadata) => {
        first = got
      })
    })
  }

  /** Resolves with the messages that answer those of a stream. */
  stream(path: string, messages: readonly Uint8Array[]): Promise<readonly Buffer[]> {
    return new Promise((done, fail) => {
      const got: Buffer[] = []
      const call = this.#client.makeBidiStreamRequest(path, pass, pass)
      call.on('data', (bytes: Buffer) => got.push(bytes))
      call.on('error', fail)
      call.on('end', () => done(got))
      for (const message of messages) call.write(Buffer.from(message))
      call.end()
    })
  }

  /** Resolves with the messages of a stream that the server keeps open, and its code after the client cancels it. */
  watch(path: string, message: Uint8Array): Promise<{ readonly messages: readonly Buffer[]; readonly code: number }> {
    return new Promise((done) => {
      const messages: Buffer[] = []
      let isEnded = false
      const call = this.#client.makeServerStreamRequest(path, pass, pass, Buffer.from(message))
      call.on('data', (bytes: Buffer) => {
        messages.push(bytes)
        // A server that ends the stream itself has done so by then.
        setTimeout(() => {
          if (!isEnded) call.cancel()
        }, 100)
      })
      call.on('end', () => {
        isEnded = true
      })
      call.on('error', () => {})
      call.on('status', ({ code }: StatusObject) => {
        done({ messages, code })
      })
    })
  }

  /** Resolves with a caller of a service's methods with plain objects, as its descriptors say. */
  async service(reflection: string, name: string) {
    const [answer] = await this.stream(reflection, [textField(4, name)])
    const files = fieldsOf(fieldsOf(answer ?? Buffer.alloc(0), 4)[0] ?? Buffer.alloc(0), 1)
    const file = files.map((each) => protobuf.descriptor.FileDescriptorProto.decode(each))
    for (const each of file) assertNumbered(each)
    const root = protobuf.Root.fromDescriptor({ file })
    root.resolveAll()
    const { methods } = root.lookupService(name)
    return {
      methods: Object.keys(methods),
      call: async (method: string, request: object, options = {}) => {
        const { resolvedRequestType, resolvedResponseType } = methods[method]?.resolve() ?? fail()
        const message = resolvedRequestType.encode(resolvedRequestType.fromObject(request)).finish()
        const called = await this.call(`/${name}/${method}`, message, options)
        return {
          ...called,
          response:
            called.bytes === undefined
              ? undefined
              : resolvedResponseType.toObject(resolvedResponseType.decode(called.bytes), { longs: String }),
        }
      },
    }
  }

  [Symbol.dispose](): void {
    this.#client.close()
  }
}

function fail(): never {
  throw new Error('no such method')
}

/** Returns a message with one text. */
export function textField(number: number, text: string): Buffer {
  return Buffer.concat([Buffer.of(number * 8 + 2, Buffer.byteLength(text)), Buffer.from(text)])
}

/** Returns the contents of the delimited fields of a number. */
export function fieldsOf(message: Buffer, number: number): Buffer[] {
  const found: Buffer[] = []
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const tag = varint()
    const size = varint()
    if ((tag & 7) !== 2) continue
    if (tag >> 3 === number) found.push(message.subarray(at, at + size))
    at += size
  }
  return found
}
