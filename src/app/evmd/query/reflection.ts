/**
 * The query services that describe the application: its interfaces, proto files and command line.
 * Also `testpb.Query`, which remained in the node's build.
 */
import { int64, message, nested, repeated, text } from '../../../codec/protobuf/message.ts'
import { commandLineOptions, fileDescriptor, fileNames, implementations } from '../../../codec/schema/files.ts'
import { type Methods, ofText, rawMessage } from './answer.ts'
import { invalidArgument } from './status.ts'

const registry = '/cosmos.base.reflection.v1beta1.ReflectionService/'

const ofTextList = message<{ texts: readonly string[] }>({ 1: ['texts', repeated(text)] })
const ofMessages = message<{ items: readonly Uint8Array[] }>({ 1: ['items', repeated(rawMessage)] })

type Animal = { animal: Uint8Array | undefined; x: bigint }
const optionalMessage = { ...rawMessage, zero: () => undefined, isZero: isAbsent }
const ofAnimal = message<{ animal: Uint8Array | undefined }>({ 1: ['animal', optionalMessage] })
const hasAnimal = message<Animal>({ 1: ['animal', optionalMessage], 2: ['x', int64] })
const animalAnswer = message<{ answer: Animal | undefined }>({ 1: ['answer', nested(hasAnimal)] })

export const reflectionQueries: Methods = {
  [`${registry}ListAllInterfaces`]: () => ofTextList.encode({ texts: Object.keys(implementations) }),
  [`${registry}ListImplementations`]: (_context, data) => {
    const { text: name } = ofText.decode(data)
    if (name === '') throw invalidArgument('invalid interface name')
    const found = Object.hasOwn(implementations, name) ? implementations[name] : undefined
    return ofTextList.encode({ texts: found ?? [] })
  },
  '/cosmos.reflection.v1.ReflectionService/FileDescriptors': () =>
    ofMessages.encode({ items: fileNames.flatMap((name) => fileDescriptor(name) ?? []) }),
  '/cosmos.autocli.v1.Query/AppOptions': () => commandLineOptions(),
  '/testpb.Query/Echo': (_context, data) => ofText.encode({ text: ofText.decode(data).text }),
  '/testpb.Query/SayHello': (_context, data) => ofText.encode({ text: `Hello ${ofText.decode(data).text}!` }),
  '/testpb.Query/TestAny': (_context, data) =>
    animalAnswer.encode({ answer: { animal: ofAnimal.decode(data).animal, x: 10n } }),
}

function isAbsent(value: Uint8Array | undefined): boolean {
  return value === undefined
}
