/** The table of gRPC methods: those of the services that the node serves, and our own. */
import type { Method } from '../method.ts'
import { servicesTable } from '../cosmos/table.ts'
import { type Table, table } from '../table.ts'
import { chainReflection } from './chainReflection.ts'
import { messageText } from './grpcMethod.ts'
import { healthCheck, healthWatch } from './health.ts'
import { serverReflection } from './serverReflection.ts'

/** What the node does not serve. */
export const addedMethods: readonly Method[] = [serverReflection('v1'), healthCheck, healthWatch]

let made: Table | undefined

/** Returns the table. It is made for the first call: the descriptors of all services are read. */
export function grpcTable(): Table {
  made ??= table(madeMethods())
  return made
}

function madeMethods(): readonly Method[] {
  const own = [serverReflection('v1alpha'), ...chainReflection, ...addedMethods]
  const names = new Set(own.map(({ name }) => name))
  const shared = servicesTable((_type, bytes) => messageText(bytes)).methods
  return [...own, ...shared.filter(({ name }) => !names.has(name))]
}

/** Returns whether the state that a method reads is named in its answers. */
export function readsState(name: string): boolean {
  return !/^(?:grpc\.|cosmos\.base\.reflection\.v2alpha1\.)/.test(name)
}

/** Returns whether a method answers each message of a stream, which the client ends. */
export function isStream(name: string): boolean {
  return name.endsWith('.ServerReflection/ServerReflectionInfo')
}

/** Returns whether a method answers one message and then keeps its stream open until the client ends the call. */
export function staysOpen(name: string): boolean {
  return name === healthWatch.name
}
