/** Derives facts about the chain that were not requested during recording, such as its chain id. */
import { quantityOf } from '../../codec/hex.ts'
import { isCallTo, keyOfNormalized, keyParts } from './callKey.ts'
import type { Answers, HeldAnswer, NoteSource } from './library.ts'

const chainIdKey = keyOfNormalized('eth', 'eth_chainId', [])
const networkIdKey = keyOfNormalized('eth', 'net_version', [])
const healthKey = keyOfNormalized('comet', 'health', {})

/**
 * Returns a function that finds such a fact. It returns undefined for other calls and for facts
 * that the recording does not reveal.
 */
export function createFacts(answers: Answers, note: NoteSource): (key: string) => readonly HeldAnswer[] | undefined {
  return (key) => {
    const text = factOf(key, answers, note)
    return text === undefined ? undefined : [{ since: -Infinity, answer: { ok: true, text }, count: 0 }]
  }
}

function factOf(key: string, answers: Answers, note: NoteSource): string | undefined {
  switch (key) {
    case chainIdKey:
      return withId(evmChainId(answers, note), quantityOf)
    case networkIdKey:
      return withId(evmChainId(answers, note), String)
    case healthKey:
      return hasComet(answers, note) ? '{}' : undefined
    default:
      return undefined
  }
}

function withId(id: bigint | undefined, spelled: (id: bigint) => string): string | undefined {
  return id === undefined ? undefined : JSON.stringify(spelled(id))
}

/** Returns the EVM chain id from either of two methods, or from a recorded transaction. */
function evmChainId(answers: Answers, note: NoteSource = () => {}): bigint | undefined {
  for (const key of [chainIdKey, networkIdKey]) {
    const answer = answers.get(key)?.at(-1)?.answer
    if (answer?.ok !== true) continue
    note(key)
    return BigInt(JSON.parse(answer.text) as string)
  }
  for (const key of answers.keys()) {
    const isBlock =
      isCallTo('eth', 'eth_getBlockByNumber', key) && /^\["0x[0-9a-f]+",true\]$/.test(keyParts(key).params)
    if (!isBlock) continue
    const answer = answers.get(key)?.at(-1)?.answer
    const id = answer?.ok === true ? /"chainId":"(0x[0-9a-f]+)"/.exec(answer.text)?.[1] : undefined
    if (id === undefined) continue
    note(key)
    return BigInt(id)
  }
  return undefined
}

/** Returns whether CometBFT RPC answered any call; a node that did was healthy. */
function hasComet(answers: Answers, note: NoteSource): boolean {
  for (const key of answers.keys()) {
    if (keyParts(key).side !== 'comet') continue
    note(key)
    return true
  }
  return false
}

/** The chain ids of a recording, as far as it reveals them. */
export type ChainIds = { readonly cosmos: string | undefined; readonly evm: bigint | undefined }

/** Returns the ids of the recorded chain. */
export function chainIdsOf(answers: Answers): ChainIds {
  return { cosmos: cosmosChainId(answers), evm: evmChainId(answers) }
}

/** Methods whose answers name the chain. */
const namesChain = ['status', 'genesis', 'block', 'header', 'commit']

function cosmosChainId(answers: Answers): string | undefined {
  for (const key of answers.keys()) {
    const isService = key.startsWith('rest cosmos.base.tendermint.v1beta1.Service/')
    if (!isService && !namesChain.some((method) => isCallTo('comet', method, key))) continue
    const answer = answers.get(key)?.at(-1)?.answer
    const found = answer?.ok === true ? /"(?:network|chain_id)":\s*("[^"\\]*")/.exec(answer.text)?.[1] : undefined
    if (found !== undefined) return JSON.parse(found) as string
  }
  return undefined
}
