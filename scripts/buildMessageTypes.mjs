// Writes src/codec/schema/messageTypes.ts: the TypeScript types of the messages that the code
// passes to `codecOf('…')`, and of the messages in them. Run it after `tsc -b` when the code needs
// a codec for another message. With --check it only reports whether the file is up to date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { messageDescriptor } from '../dist/src/codec/schema/lookup.js'

const source = new URL('../src/', import.meta.url)
const target = new URL('codec/schema/messageTypes.ts', source)

const scalars = {
  string: 'string',
  bytes: 'Uint8Array',
  bool: 'boolean',
  int32: 'number',
  uint32: 'number',
  enum: 'number',
  int64: 'bigint',
  uint64: 'bigint',
  sfixed64: 'bigint',
}

const names = new Set()
for (const file of readdirSync(source, { recursive: true })) {
  if (!file.endsWith('.ts')) continue
  const text = readFileSync(new URL(file, source), 'utf8')
  for (const [, name] of text.matchAll(/\bcodecOf\('([\w.]+)'\)/g)) addWithContents(name)
}
const text = `/** Types of messages by full name. Written by \`scripts/buildMessageTypes.mjs\`. */
export type MessageTypes = {
${[...names].sort().map(typeOf).join('\n')}
}
`
if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  console.error('messageTypes.ts is out of date: run node scripts/buildMessageTypes.mjs')
  process.exitCode = 1
}

function addWithContents(name) {
  if (names.has(name)) return
  names.add(name)
  for (const { kind, typeName } of messageDescriptor(name).fields) {
    if (kind === 'message') addWithContents(typeName)
  }
}

function typeOf(name) {
  const members = messageDescriptor(name).fields.map((field) => `    ${memberOf(field)}`)
  return members.length === 0 ? `  '${name}': object` : `  '${name}': {\n${members.join('\n')}\n  }`
}

function memberOf(field) {
  const { jsonName, kind, typeName, isList, isNullable, hasPresence, customType } = field
  const type = kind === 'message' ? `MessageTypes['${typeName}']` : scalars[kind]
  if (isList) return `readonly ${jsonName}: readonly ${type}[]`
  const isNumber = customType.startsWith('cosmossdk.io/math.')
  const isOptional = hasPresence || (isNullable && (kind === 'message' || isNumber))
  return isOptional ? `readonly ${jsonName}?: ${type} | undefined` : `readonly ${jsonName}: ${type}`
}
