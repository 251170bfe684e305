import type { Side as SideName } from '../settings/side.ts'
import { cometSide } from './comet/side.ts'
import { devTable } from './dev/index.ts'
import { ethSideWith } from './eth/side.ts'
import { grpcSide } from './grpc/side.ts'
import type { Method, Trait } from './method.ts'
import { restSide } from './rest/side.ts'
import type { Side } from './transport.ts'

/** Ethereum JSON-RPC with the development controls. */
export const ethSide: Side = ethSideWith(devTable)

/** The interfaces, by name. */
export const sides: Readonly<Record<SideName, Side>> = {
  comet: cometSide,
  eth: ethSide,
  rest: restSide,
  grpc: grpcSide,
}

/** A method by its name on the wire. */
export type MethodName = { readonly side: SideName; readonly method: string }

/** Returns the declaration of a method, or undefined if chainstage does not have it. */
export function methodOf({ side, method }: MethodName): Method | undefined {
  return sides[side].dialect.table.byName.get(method)
}

/** Returns whether a method has a trait; false for an unknown method. */
export function hasTrait(name: MethodName, trait: Trait): boolean {
  return methodOf(name)?.traits.includes(trait) === true
}
