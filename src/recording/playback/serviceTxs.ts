/** Finds transactions in answers of the REST API and gRPC (`cosmos-rest-grpc.md` §7). */
import { readBase64 } from '../../codec/base64.ts'
import { writeJson } from '../../codec/goJsonWrite.ts'
import { plainHexOf } from '../../codec/hex.ts'
import { namedCodec } from '../../codec/schema/codecs.ts'
import { findMethod } from '../../codec/schema/lookup.ts'
import { toJson } from '../../codec/schema/protoJson.ts'
import { keyParts } from './callKey.ts'
import { sha256OfBase64 } from './cometHash.ts'
import { itemTexts, memberTexts } from './slice.ts'

const txService = 'cosmos.tx.v1beta1.Service'
const blockMethods = new Set([
  `${txService}/GetBlockWithTxs`,
  'cosmos.base.tendermint.v1beta1.Service/GetBlockByHeight',
  'cosmos.base.tendermint.v1beta1.Service/GetLatestBlock',
])

/** Transactions of a block. `text` contains their hashes, and their accounts if the answer does. */
export type ShownTxs = { readonly height: number; readonly text: string }

/** Returns whether a call is to the REST API or gRPC. */
export function isOfService(key: string): boolean {
  return /^(?:rest|grpc) /.test(key)
}

/**
 * Returns an answer as JSON. A gRPC answer is a base64 message and is decoded; other answers are
 * JSON already. Returns `{}` if the bytes are not a message of the method.
 */
export function plainAnswer(key: string, text: string): string {
  if (!key.startsWith('grpc ')) return text
  const type = findMethod(`/${keyParts(key).method}`)?.output
  if (type === undefined) return '{}'
  try {
    const bytes = readBase64(String(JSON.parse(text)))
    return typeof bytes === 'string' ? '{}' : writeJson(toJson(type, namedCodec(type).decode(bytes)))
  } catch {
    return '{}'
  }
}

/** Returns the transactions in an answer of the REST API or gRPC, by block. */
export function shownTxs(key: string, text: string): readonly ShownTxs[] {
  const { method } = keyParts(key)
  const isBlock = blockMethods.has(method)
  if (!isBlock && method !== `${txService}/GetTx` && method !== `${txService}/GetTxsEvent`) return []
  const members = memberTexts(plainAnswer(key, text))
  if (isBlock) return blockTxs(members)
  const responses = [members.get('tx_response') ?? '', ...itemTexts(members.get('tx_responses') ?? '')]
  return responses.flatMap((response) => {
    const height = numberIn(memberTexts(response).get('height'))
    return height > 0 ? [{ height, text: response }] : []
  })
}

/** Returns the transactions of a block, whose hashes are computed from their base64 bytes. */
function blockTxs(members: ReadonlyMap<string, string>): readonly ShownTxs[] {
  const block = memberTexts(members.get('block') ?? '')
  const height = numberIn(memberTexts(block.get('header') ?? '').get('height'))
  const txs = itemTexts(memberTexts(block.get('data') ?? '').get('txs') ?? '')
  const hashes = txs.map((tx) => sha256OfBase64(String(JSON.parse(tx))))
  return height > 0 ? [{ height, text: [members.get('txs') ?? '', ...hashes].join(' ') }] : []
}

function numberIn(text = '0'): number {
  return Number(JSON.parse(text))
}

/** Returns whether a broadcast was accepted, with code 0. */
export function isBroadcastTaken(key: string, text: string): boolean {
  const verdict = memberTexts(memberTexts(plainAnswer(key, text)).get('tx_response') ?? '')
  return numberIn(verdict.get('code')) === 0
}

/** Returns the transaction of a broadcast in lowercase hex, and its hash; `''` if there is none. */
export function broadcastOf(key: string): { readonly hex: string; readonly hash: string } {
  const text: unknown = JSON.parse(memberTexts(keyParts(key).params).get('tx_bytes') ?? '""')
  const bytes = typeof text === 'string' && text !== '' ? readBase64(text) : ''
  return typeof bytes === 'string'
    ? { hex: '', hash: '' }
    : { hex: plainHexOf(bytes), hash: sha256OfBase64(String(text)) }
}
