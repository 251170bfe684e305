/** The table of gRPC methods: the services that the node serves, and those that chainstage adds. */
import type { Method } from '../method.ts'
import { servicesTable } from '../cosmos/table.ts'
import { type Table, table } from '../table.ts'
import { chainReflection } from './chainReflection.ts'
import { messageText } from './grpcMethod.ts'
import { healthCheck, healthWatch } from './health.ts'
import { serverReflection } from './serverReflection.ts'

/** Methods that the node does not serve. */
export const addedMethods: readonly Method[] = [serverReflection('v1'), healthCheck, healthWatch]

let made: Table | undefined

/** Returns the table, built on first use because it reads the descriptors of all services. */
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

/** Returns whether responses of a method name the height of the state that was read. */
export function readsState(name: string): boolean {
  return !/^(?:grpc\.|cosmos\.base\.reflection\.v2alpha1\.)/.test(name)
}

/** Returns whether a method responds to each message of a stream that the client ends. */
export function isStream(name: string): boolean {
  return name.endsWith('.ServerReflection/ServerReflectionInfo')
}

/**
 * Returns whether a method responds to one message and then keeps its stream open until the client
 * ends the call.
 */
export function staysOpen(name: string): boolean {
  return name === healthWatch.name
}
