/** Looks up extensions and other symbols that server reflection reports. */
import { bytes, int32, message, repeated, text } from '../protobuf/message.ts'
import { fileDescriptor, fileNames } from './files.ts'
import { findFile } from './lookup.ts'

type Extension = { readonly name: string; readonly extendee: string; readonly number: number }

const extensionProto = message<Extension>({
  1: ['name', text],
  2: ['extendee', text],
  3: ['number', int32],
})
const extendingFile = message<{ package: string; extensions: readonly Uint8Array[] }>({
  2: ['package', text],
  7: ['extensions', repeated(bytes)],
})

/** Returns the extensions of a message such as `google.protobuf.FieldOptions`, with their files. */
export function extensionsOf(messageName: string): readonly { readonly number: number; readonly file: string }[] {
  return allExtensions().filter(({ extendee }) => extendee === `.${messageName}`)
}

/** Returns the name of the file that declares an extension such as `amino.name`, or undefined. */
export function fileOfExtension(symbol: string): string | undefined {
  return allExtensions().find(({ name }) => name === symbol)?.file
}

/**
 * Returns whether a file declares a full name, such as that of a message, field, enum or method.
 */
export function declaresSymbol(file: string, symbol: string): boolean {
  const { messages = [], enums = [], services = [] } = findFile(file) ?? {}
  return (
    messages.some(
      ({ name, fields }) =>
        name === symbol ||
        fields.some((field) => symbol === `${name}.${field.name}` || symbol === `${name}.${field.oneof}`),
    ) ||
    enums.some(({ name, values }) => name === symbol || values.some((value) => symbol === `${name}.${value.name}`)) ||
    services.some(
      ({ name, methods }) => name === symbol || methods.some((method) => symbol === `${name}.${method.name}`),
    )
  )
}

let extensions: readonly (Extension & { readonly file: string })[] | undefined

/** Returns the extensions of all files. They are kept, because finding them decodes every file. */
function allExtensions() {
  extensions ??= fileNames.flatMap((file) => extensionsIn(file).map((each) => ({ ...each, file })))
  return extensions
}

/** Returns the extensions of a file, with full names. */
function extensionsIn(file: string): readonly Extension[] {
  const descriptor = fileDescriptor(file)
  if (descriptor === undefined) return []
  const { package: path, extensions: own } = extendingFile.decode(descriptor)
  return own.map((each) => {
    const { name, ...rest } = extensionProto.decode(each)
    return { ...rest, name: `${path}.${name}` }
  })
}
