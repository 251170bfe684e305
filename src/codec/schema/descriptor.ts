/** What is known of protobuf files: their messages, enumerations and services. */

/** A type of a field that is no message; enumerations are numbers with names. */
export type Kind =
  | 'int32'
  | 'int64'
  | 'uint32'
  | 'uint64'
  | 'sfixed64'
  | 'bool'
  | 'string'
  | 'bytes'
  | 'enum'
  | 'message'

export type Field = {
  readonly name: string
  /** The name in camel case, which also names the member of a decoded value. */
  readonly jsonName: string
  readonly number: number
  /** Undefined for a type that no file of the node uses outside its options. */
  readonly kind: Kind | undefined
  /** The full name of a message or enumeration. */
  readonly typeName: string
  readonly isList: boolean
  /** False where gogoproto always writes the field, even when it is empty. */
  readonly isNullable: boolean
  /** Whether the field tells absent from empty: a member of a oneof, `optional`, or of a proto2 file. */
  readonly hasPresence: boolean
  readonly oneof: string | undefined
  /** The Go type behind a text or bytes, like `cosmossdk.io/math.Int`. */
  readonly customType: string
  readonly castType: string
  readonly isStdTime: boolean
  /** The `cosmos_proto.scalar`, like `cosmos.Dec`. */
  readonly scalar: string
  readonly amino: {
    readonly name: string
    readonly keepsEmpty: boolean
    readonly encoding: string
    readonly oneofName: string
  }
}

export type MessageDescriptor = {
  readonly name: string
  /** The name of the Go type, like `types.MsgSend`. */
  readonly goName: string
  readonly fields: readonly Field[]
  readonly byNumber: ReadonlyMap<number, Field>
  readonly isMapEntry: boolean
  readonly aminoName: string | undefined
  readonly aminoEncoding: string
}

export type EnumDescriptor = {
  readonly name: string
  readonly values: readonly { readonly name: string; readonly number: number }[]
}

/** An HTTP method with a path template; `body` is `*`, a field's name or empty. */
export type HttpBinding = { readonly verb: string; readonly path: string; readonly body: string }

export type MethodDescriptor = {
  readonly name: string
  /** The full names of request and response. */
  readonly input: string
  readonly output: string
  readonly isClientStreaming: boolean
  readonly isServerStreaming: boolean
  readonly http: readonly HttpBinding[]
}

export type ServiceDescriptor = {
  readonly name: string
  readonly methods: readonly MethodDescriptor[]
}

export type FileDescriptor = {
  readonly name: string
  readonly imports: readonly string[]
  readonly messages: readonly MessageDescriptor[]
  readonly enums: readonly EnumDescriptor[]
  readonly services: readonly ServiceDescriptor[]
}
