// Builds src/codec/schema/descriptors.json from a running evmd node. It holds the protobuf files
// that the node serves by gRPC reflection, and those of every message in its interface registry.
//
//   node scripts/buildDescriptors.mjs http://localhost:9090
//
// The result is committed, so using or developing chainstage does not require this script.
import { writeFileSync } from 'node:fs'
import { connect } from 'node:http2'
import { deflateRawSync } from 'node:zlib'

const [url = 'http://localhost:9090'] = process.argv.slice(2)
const target = new URL('../src/codec/schema/descriptors.json', import.meta.url)

const session = connect(url)
const files = new Map()
const services = listServices(await reflect(text(7, '')))
const interfaces = await listInterfaces()
const commands = await listCommands()
for (const name of services) await addFileOf(name)
for (const names of Object.values(interfaces)) {
  for (const name of names) await addFileOf(name.replace(/^\//, ''))
}
// Messages that are missing from the registry: parts of transactions and stores.
for (const name of [
  'cosmos.tx.v1beta1.TxRaw',
  'cosmos.store.v1beta1.CommitInfo',
  'tendermint.types.CanonicalVote',
  'ibc.applications.transfer.v1.FungibleTokenPacketData',
])
  await addFileOf(name)
session.close()

const sorted = [...files].sort(([left], [right]) => (left < right ? -1 : 1))
const lines = [
  '{',
  `"services": ${JSON.stringify(services)},`,
  `"commands": ${JSON.stringify(deflateRawSync(commands, { level: 9 }).toString('base64'))},`,
  '"interfaces": {',
  Object.entries(interfaces)
    .map(([name, types]) => `${JSON.stringify(name)}: ${JSON.stringify(types)}`)
    .join(',\n'),
  '},',
  '"files": {',
  sorted
    .map(([name, bytes]) => {
      const packed = deflateRawSync(bytes, { level: 9 }).toString('base64')
      return `${JSON.stringify(name)}: ${JSON.stringify([...declared(bytes), packed])}`
    })
    .join(',\n'),
  '}',
  '}',
  '',
]
writeFileSync(target, lines.join('\n'))
const size = sorted.reduce((sum, [, bytes]) => sum + bytes.length, 0)
console.log(`${sorted.length} files, ${size} bytes, ${services.length} services`)

async function addFileOf(symbol) {
  const answer = await reflect(text(4, symbol))
  if (answer === undefined) return console.error(`no file for ${symbol}`)
  await addFiles(answer)
}

async function addFiles(answer) {
  const found = fields(answer)
    .filter(([number]) => number === 1)
    .map(([, bytes]) => bytes)
  const fresh = found.filter((bytes) => !files.has(nameOf(bytes)))
  for (const bytes of fresh) files.set(nameOf(bytes), bytes)
  for (const bytes of fresh) {
    for (const [number, name] of fields(bytes)) {
      if (number !== 3 || files.has(name.toString())) continue
      const imported = await reflect(text(3, name.toString()))
      if (imported === undefined) console.error(`no file ${name}`)
      else await addFiles(imported)
    }
  }
}

function nameOf(bytes) {
  return fields(bytes)
    .find(([number]) => number === 1)[1]
    .toString()
}

/** Returns the package of a file, and the names of its messages, enums and services. */
function declared(bytes) {
  const found = fields(bytes)
  const names = found.flatMap(([number, each]) => ([4, 5, 6].includes(number) ? [nameOf(each)] : []))
  return [found.find(([number]) => number === 2)?.[1].toString() ?? '', names.join(' ')]
}

function listServices(answer) {
  return fields(answer)
    .map(([, service]) => nameOf(service))
    .sort()
}

async function listInterfaces() {
  const service = 'cosmos.base.reflection.v1beta1.ReflectionService'
  const names = texts(await call(`${service}/ListAllInterfaces`, Buffer.alloc(0))).sort()
  const found = {}
  for (const name of names) {
    found[name] = texts(await call(`${service}/ListImplementations`, text(1, name))).sort()
  }
  return found
}

/** Returns the modules' command-line options, sorted: the node lists them in random order. */
async function listCommands() {
  const answer = await call('cosmos.autocli.v1.Query/AppOptions', Buffer.alloc(0))
  const modules = fields(answer).map(([, each]) => each)
  modules.sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1))
  return Buffer.concat(modules.map((each) => Buffer.concat([Buffer.of(10), varint(each.length), each])))
}

function texts(answer) {
  return fields(answer).map(([, name]) => name.toString())
}

/** Sends a reflection request to the node and returns its descriptors or its list of services. */
async function reflect(request) {
  const service = 'grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo'
  return fields(await call(service, request)).find(([number]) => number === 4 || number === 6)?.[1]
}

function call(method, message) {
  return new Promise((resolve, reject) => {
    const frame = Buffer.alloc(5)
    frame.writeUInt32BE(message.length, 1)
    const stream = session.request({
      ':method': 'POST',
      ':path': `/${method}`,
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    const parts = []
    stream.on('data', (part) => parts.push(part))
    stream.on('error', reject)
    stream.on('end', () => resolve(Buffer.concat(parts).subarray(5)))
    stream.end(Buffer.concat([frame, message]))
  })
}

function text(number, value) {
  return Buffer.concat([Buffer.of(number * 8 + 2), varint(Buffer.byteLength(value)), Buffer.from(value)])
}

function varint(value) {
  const bytes = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest])
    bytes.push((rest & 0x7f) | 0x80)
  }
}

/** Returns the varint and length-delimited fields of a message as `[number, value]`. */
function fields(bytes) {
  const found = []
  let at = 0
  const read = () => {
    for (let value = 0, factor = 1; ; factor *= 0x80) {
      const byte = bytes[at++]
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const tag = read()
    const number = Math.floor(tag / 8)
    if (tag % 8 === 0) found.push([number, read()])
    else if (tag % 8 === 2) {
      const length = read()
      found.push([number, bytes.subarray(at, at + length)])
      at += length
    } else at += tag % 8 === 1 ? 8 : 4
  }
  return found
}
