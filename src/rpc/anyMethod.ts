/**
 * Says what a method's name alone reveals about it. Methods that only other nodes have are judged
 * by their namespace. An unknown namespace gets the careful answer.
 */
import { hasTrait, methodOf, type MethodName } from './sides.ts'

/** Namespaces whose methods take passwords and keys, on any node. */
const secretNamespaces: ReadonlySet<string> = new Set(['personal', 'admin', 'clique', 'parity'])

/** Namespaces whose methods take hashes, slots and topics but no keys, on any node. */
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

/** Names of methods that submit transactions, on any node. */
const submitting = /^(?:(?:eth|personal|wallet)_send|eth_resend|broadcast_)|(?:^|\/)BroadcastTx$/

/** Returns whether a method may submit transactions to a chain. */
export function maySubmit(method: string): boolean {
  return submitting.test(method) || sidesOf(method).some((name) => hasTrait(name, 'submits'))
}

/** Method names of gRPC and REST services contain a slash; those of JSON-RPC do not. */
function sidesOf(method: string): readonly MethodName[] {
  const sides = method.includes('/') ? (['rest', 'grpc'] as const) : (['eth', 'comet'] as const)
  return sides.map((side) => ({ side, method }))
}

function namespaceOf(method: string): string {
  return method.slice(0, Math.max(0, method.indexOf('_')))
}
