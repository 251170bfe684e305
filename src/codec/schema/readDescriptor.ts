/** Reads a `FileDescriptorProto` (google/protobuf/descriptor.proto) with the options used here. */
import {
  always,
  bool,
  bytes,
  type FieldType,
  int32,
  type Message,
  message,
  nested,
  repeated,
  text,
} from '../protobuf/message.ts'
import type {
  EnumDescriptor,
  Field,
  FileDescriptor,
  HttpBinding,
  Kind,
  MessageDescriptor,
  MethodDescriptor,
  ServiceDescriptor,
} from './descriptor.ts'

/** Returns a type that decodes an absent field as undefined. */
function optional<Value>(type: FieldType<Value>): FieldType<Value | undefined> {
  return { ...type, zero: () => undefined } as FieldType<Value | undefined>
}

/* Option numbers: 65001… gogoproto, 93002 cosmos_proto, 111100xx amino, 72295728 google.api. */
const fieldOptions = message<{
  isNullable: boolean | undefined
  customType: string
  castType: string
  isStdTime: boolean
  scalar: string
  aminoName: string
  aminoEncoding: string
  keepsEmpty: boolean
  oneofName: string
}>({
  65001: ['isNullable', optional(bool)],
  65003: ['customType', text],
  65007: ['castType', text],
  65010: ['isStdTime', bool],
  93002: ['scalar', text],
  11110003: ['aminoEncoding', text],
  11110004: ['aminoName', text],
  11110005: ['keepsEmpty', bool],
  11110006: ['oneofName', text],
})
const fieldProto = message<{
  name: string
  number: number
  label: number
  type: number
  typeName: string
  options: ReturnType<typeof fieldOptions.decode>
  oneofIndex: number | undefined
  jsonName: string
  isOptional: boolean
}>({
  1: ['name', text],
  3: ['number', int32],
  4: ['label', int32],
  5: ['type', int32],
  6: ['typeName', text],
  8: ['options', always(fieldOptions)],
  9: ['oneofIndex', optional(int32)],
  10: ['jsonName', text],
  17: ['isOptional', bool],
})
const named = message<{ name: string }>({ 1: ['name', text] })
const messageOptions = message<{
  isMapEntry: boolean
  aminoName: string | undefined
  aminoEncoding: string
}>({
  7: ['isMapEntry', bool],
  11110001: ['aminoName', optional(text)],
  11110002: ['aminoEncoding', text],
})
const enumValue = message<{ name: string; number: number }>({
  1: ['name', text],
  2: ['number', int32],
})
const enumProto = message<EnumDescriptor>({
  1: ['name', text],
  2: ['values', repeated(always(enumValue))],
})
const messageProto = message<{
  name: string
  fields: readonly FieldProto[]
  nested: readonly Uint8Array[]
  enums: readonly EnumDescriptor[]
  options: ReturnType<typeof messageOptions.decode>
  oneofs: readonly { name: string }[]
}>({
  1: ['name', text],
  2: ['fields', repeated(always(fieldProto))],
  3: ['nested', repeated(bytes)],
  4: ['enums', repeated(always(enumProto))],
  7: ['options', always(messageOptions)],
  8: ['oneofs', repeated(always(named))],
})
type HttpRule = {
  get: string
  put: string
  post: string
  delete: string
  patch: string
  body: string
  more: readonly Uint8Array[]
}
const httpRule: Message<HttpRule> = message<HttpRule>({
  2: ['get', text],
  3: ['put', text],
  4: ['post', text],
  5: ['delete', text],
  6: ['patch', text],
  7: ['body', text],
  11: ['more', repeated(bytes)],
})
const methodOptions = message<{ http: HttpRule | undefined }>({
  72295728: ['http', nested(httpRule)],
})
const methodProto = message<{
  name: string
  input: string
  output: string
  options: { http: HttpRule | undefined }
  isClientStreaming: boolean
  isServerStreaming: boolean
}>({
  1: ['name', text],
  2: ['input', text],
  3: ['output', text],
  4: ['options', always(methodOptions)],
  5: ['isClientStreaming', bool],
  6: ['isServerStreaming', bool],
})
const serviceProto = message<{ name: string; methods: readonly MethodProto[] }>({
  1: ['name', text],
  2: ['methods', repeated(always(methodProto))],
})
const serviceFile = message<{ package: string; services: readonly ReturnType<typeof serviceProto.decode>[] }>({
  2: ['package', text],
  6: ['services', repeated(always(serviceProto))],
})
const fileOptions = message<{ goPackage: string }>({ 11: ['goPackage', text] })
const fileProto = message<{
  name: string
  package: string
  imports: readonly string[]
  messages: readonly Uint8Array[]
  enums: readonly EnumDescriptor[]
  options: { goPackage: string }
  syntax: string
}>({
  1: ['name', text],
  2: ['package', text],
  3: ['imports', repeated(text)],
  4: ['messages', repeated(bytes)],
  5: ['enums', repeated(always(enumProto))],
  8: ['options', always(fileOptions)],
  12: ['syntax', text],
})
type FieldProto = ReturnType<typeof fieldProto.decode>
type MethodProto = ReturnType<typeof methodProto.decode>

/** Field kinds by the number of `FieldDescriptorProto.Type`. */
const kinds: Readonly<Record<number, Kind>> = {
  3: 'int64',
  4: 'uint64',
  5: 'int32',
  8: 'bool',
  9: 'string',
  11: 'message',
  12: 'bytes',
  13: 'uint32',
  14: 'enum',
  16: 'sfixed64',
}
const repeatedLabel = 3

/** Returns the descriptor of a file, including nested messages and enumerations. */
export function readFile(bytes: Uint8Array): FileDescriptor {
  const { name, package: path, imports, messages, enums, options, syntax } = fileProto.decode(bytes)
  const isProto3 = syntax === 'proto3'
  const scope = { path, goPackage: goPackageOf(path, options.goPackage), goPrefix: '', isProto3 }
  const declared = messages.map((each) => readMessage(each, scope))
  return {
    name,
    imports,
    messages: declared.flatMap((each) => each.messages),
    enums: [...enums.map((each) => within(path, each)), ...declared.flatMap((each) => each.enums)],
    services: readServices(bytes),
  }
}

/** Returns the services of a file. Startup needs all services but few messages. */
export function readServices(bytes: Uint8Array): readonly ServiceDescriptor[] {
  const { package: path, services } = serviceFile.decode(bytes)
  return services.map(({ name, methods }) => ({ name: `${path}.${name}`, methods: methods.map(methodOf) }))
}

// In Go, the well-known types are gogoproto's, regardless of the options in their files.
function goPackageOf(path: string, option: string): string {
  if (path === 'google.protobuf') return 'types'
  return option.split(/[/;]/).at(-1) ?? ''
}

type Scope = {
  readonly path: string
  readonly goPackage: string
  readonly goPrefix: string
  /** Whether the file is proto3; in others, absent differs from empty in every field. */
  readonly isProto3: boolean
}
type Declared = {
  readonly messages: readonly MessageDescriptor[]
  readonly enums: readonly EnumDescriptor[]
}

function readMessage(bytes: Uint8Array, { path, goPackage, goPrefix, isProto3 }: Scope): Declared {
  const proto = messageProto.decode(bytes)
  const name = `${path}.${proto.name}`
  const goName = `${goPrefix}${proto.name}`
  const fields = proto.fields.map((field) => fieldOf(field, { oneofs: proto.oneofs, isProto3 }))
  const own: MessageDescriptor = {
    name,
    goName: `${goPackage}.${goName}`,
    fields,
    ...proto.options,
    byNumber: new Map(fields.map((field) => [field.number, field])),
  }
  const scope = { path: name, goPackage, goPrefix: `${goName}_`, isProto3 }
  const inner = proto.nested.map((each) => readMessage(each, scope))
  return {
    messages: [own, ...inner.flatMap((each) => each.messages)],
    enums: [...proto.enums.map((each) => within(name, each)), ...inner.flatMap((each) => each.enums)],
  }
}

function within(path: string, { name, values }: EnumDescriptor): EnumDescriptor {
  return { name: `${path}.${name}`, values }
}

type Owner = { readonly oneofs: readonly { name: string }[]; readonly isProto3: boolean }

function fieldOf(proto: FieldProto, { oneofs, isProto3 }: Owner): Field {
  const { name, jsonName, number, label, type, typeName, options, oneofIndex, isOptional } = proto
  return {
    name,
    jsonName,
    number,
    kind: kinds[type],
    typeName: typeName.slice(1),
    isList: label === repeatedLabel,
    isNullable: options.isNullable ?? true,
    hasPresence: oneofIndex !== undefined || (!isProto3 && label !== repeatedLabel),
    oneof: oneofIndex === undefined || isOptional ? undefined : oneofs[oneofIndex]?.name,
    customType: options.customType,
    castType: options.castType,
    isStdTime: options.isStdTime,
    scalar: options.scalar,
    amino: {
      name: options.aminoName === '' ? name : options.aminoName,
      keepsEmpty: options.keepsEmpty,
      encoding: options.aminoEncoding,
      oneofName: options.oneofName,
    },
  }
}

function methodOf({ name, input, output, options, ...streaming }: MethodProto): MethodDescriptor {
  return {
    name,
    input: input.slice(1),
    output: output.slice(1),
    ...streaming,
    http: options.http === undefined ? [] : bindingsOf(options.http),
  }
}

function bindingsOf(rule: HttpRule): HttpBinding[] {
  const { body, more, ...paths } = rule
  const own = Object.entries(paths).flatMap(([verb, path]) =>
    path === '' ? [] : [{ verb: verb.toUpperCase(), path, body }],
  )
  return [...own, ...more.flatMap((each) => bindingsOf(httpRule.decode(each)))]
}
