/**
 * The protobuf files of an evmd v0.5.0 node, read from its reflection service by
 * `scripts/buildDescriptors.mjs`. A file is decompressed on first use.
 */
import { inflated } from '../../data/inflate.ts'
import descriptors from './descriptors.json' with { type: 'json' }

const packed: Readonly<Record<string, readonly string[]>> = descriptors.files
const unpacked = new Map<string, Uint8Array>()

/** The names of the gRPC services that the node serves, sorted. */
export const servedServices: readonly string[] = descriptors.services

/** Returns the node's `cosmos.autocli.v1.AppOptionsResponse`, which describes its command line. */
export function commandLineOptions(): Uint8Array {
  return inflated(Buffer.from(descriptors.commands, 'base64'))
}

/** The type URLs registered for each Go interface, from the node's interface registry. */
export const implementations: Readonly<Record<string, readonly string[]>> = descriptors.interfaces

/** Returns whether a type URL is registered for any Go interface, so that an `Any` may hold it. */
export function isRegistered(typeUrl: string): boolean {
  return registeredTypeUrls().has(typeUrl)
}

/**
 * Returns whether a type URL is registered for a Go interface such as `cosmos.base.v1beta1.Msg`.
 */
export function isImplementation(typeUrl: string, name: string): boolean {
  return implementations[name]?.includes(typeUrl) ?? false
}

/** Returns the type URLs registered for any Go interface. */
export function registeredTypeUrls(): ReadonlySet<string> {
  registered ??= new Set(Object.values(implementations).flat())
  return registered
}

let registered: ReadonlySet<string> | undefined

/** The names of all files, such as `cosmos/bank/v1beta1/tx.proto`. */
export const fileNames: readonly string[] = Object.keys(packed)

/** Returns a file's `FileDescriptorProto`, byte for byte as the node serves it. */
export function fileDescriptor(name: string): Uint8Array | undefined {
  const known = unpacked.get(name)
  if (known !== undefined) return known
  const base64 = Object.hasOwn(packed, name) ? packed[name]?.[2] : undefined
  if (base64 === undefined) return undefined
  const bytes = inflated(Buffer.from(base64, 'base64'))
  unpacked.set(name, bytes)
  return bytes
}

/** Returns the name of the file that declares a top-level message, enumeration or service. */
export function fileDeclaring(name: string): string | undefined {
  homes ??= new Map(
    Object.entries(packed).flatMap(([file, [path = '', names = '']]) =>
      names.split(' ').map((each) => [`${path}.${each}`, file]),
    ),
  )
  return homes.get(name)
}

let homes: ReadonlyMap<string, string> | undefined
