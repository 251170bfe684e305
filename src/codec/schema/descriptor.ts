/** Descriptors of protobuf files: messages, enumerations and services. */

/** The type of a field; `enum` is a number with named values. */
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
  /** The name in camel case, also used for the member of a decoded value. */
  readonly jsonName: string
  readonly number: number
  /** Undefined for a type that the node's files use only in options. */
  readonly kind: Kind | undefined
  /** The full name of the field's message or enumeration type. */
  readonly typeName: string
  readonly isList: boolean
  /** False if gogoproto always writes the field, even when empty. */
  readonly isNullable: boolean
  /** Whether absent differs from empty: in a oneof, `optional` or proto2 field. */
  readonly hasPresence: boolean
  readonly oneof: string | undefined
  /** The Go type of a string or bytes field, such as `cosmossdk.io/math.Int`. */
  readonly customType: string
  readonly castType: string
  readonly isStdTime: boolean
  /** The `cosmos_proto.scalar`, such as `cosmos.Dec`. */
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
  /** The name of the Go type, such as `types.MsgSend`. */
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

/** An HTTP method with a path template; `body` is `*`, a field name or empty. */
export type HttpBinding = { readonly verb: string; readonly path: string; readonly body: string }

export type MethodDescriptor = {
  readonly name: string
  /** The full names of the request and response messages. */
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
