/** Classifies recorded calls by the declarations of their methods (`rpc/method.ts`). */
import type { Trait } from '../../rpc/method.ts'
import { hasTrait, methodOf } from '../../rpc/sides.ts'
import { keyParts } from './callKey.ts'
import { itemTexts } from './slice.ts'

/** Returns whether the method of a call has a trait. */
export function callHas(key: string, trait: Trait): boolean {
  return hasTrait(keyParts(key), trait)
}

/** Returns whether a call is about the head: it names no block, or `latest`. */
export function isAboutHead(key: string): boolean {
  const call = keyParts(key)
  const method = methodOf(call)
  if (method?.traits.includes('aboutHead') !== true) return false
  if (call.side === 'comet') return call.params === '{}'
  const at = method.params.findIndex(({ role }) => role === 'block')
  return at < 0 || itemTexts(call.params)[at] === '"latest"'
}

/** Returns whether the answer to a call names a height that is at most the head's. */
export function tellsHeight(key: string): boolean {
  const call = keyParts(key)
  return hasTrait(call, 'ofBlock') || hasTrait(call, 'ofMinedTx')
}

/** Returns whether a call asks for a given block, whose height says nothing about the head. */
export function asksForBlock(key: string): boolean {
  const call = keyParts(key)
  return hasTrait(call, 'ofBlock') && call.params !== '{}'
}

/** Returns whether a call reads the latest state and its answer names that state's height. */
export function isOfAnyHeight(key: string): boolean {
  const call = keyParts(key)
  return hasTrait(call, 'namesStateHeight') && !/"(?:height|prove)":/.test(call.params)
}

/** Returns the heights that a CometBFT RPC call names. */
export function cometHeights(key: string): readonly number[] {
  const call = keyParts(key)
  if (call.side !== 'comet') return []
  const asked = JSON.parse(call.params) as Readonly<Record<string, unknown>>
  return (methodOf(call)?.params ?? [])
    .filter(({ role }) => role === 'block' || role === 'newestBlock')
    .flatMap(({ name }) => (asked[name] === undefined ? [] : [Number(asked[name])]))
}

/** Returns whether a call names a filter or subscription, or ends one or more. */
export function isAboutListening(key: string): boolean {
  const call = keyParts(key)
  return hasTrait(call, 'byListenerId') || hasTrait(call, 'stopsListening')
}
