/**
 * What may be true of a method by its name alone. Other nodes have methods that we do not: those go
 * by their namespace, and where that says too little, the careful answer holds.
 */
import { hasTrait, methodOf, type MethodName } from './sides.ts'

/** Namespaces of any node whose methods take passwords and keys, those that we do not have too. */
const secretNamespaces: ReadonlySet<string> = new Set(['personal', 'admin', 'clique', 'parity'])

/** Namespaces of any node whose methods take hashes, slots and topics, but no keys. */
const hashNamespaces: ReadonlySet<string> = new Set(['eth', 'debug', 'trace', 'txpool', 'ots', 'erigon'])

/** Returns whether the parameters of a method may be passwords or keys. */
export function mayCarrySecrets(method: string): boolean {
  return secretNamespaces.has(namespaceOf(method)) || sidesOf(method).some((name) => hasTrait(name, 'carriesSecrets'))
}

/** Returns whether 32 bytes among the parameters of a method may be a private key. */
export function mayTakeKey(method: string): boolean {
  if (mayCarrySecrets(method)) return true
  const isKnown = sidesOf(method).some((name) => methodOf(name) !== undefined)
  return !isKnown && !hashNamespaces.has(namespaceOf(method))
}

/** Names of methods that hand transactions to a chain, those that we do not have too. */
const submitting = /^(?:(?:eth|personal|wallet)_send|eth_resend|broadcast_)/

/** Returns whether a method may hand a transaction to a chain. */
export function maySubmit(method: string): boolean {
  return submitting.test(method) || sidesOf(method).some((name) => hasTrait(name, 'submits'))
}

/** Names of services' methods have a slash, and JSON-RPC's have none. */
function sidesOf(method: string): readonly MethodName[] {
  const sides = method.includes('/') ? (['rest', 'grpc'] as const) : (['eth', 'comet'] as const)
  return sides.map((side) => ({ side, method }))
}

function namespaceOf(method: string): string {
  return method.slice(0, Math.max(0, method.indexOf('_')))
}
