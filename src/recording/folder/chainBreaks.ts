/** Checks recorded CometBFT RPC responses against the validators' signatures (`mocks.md` §4.4). */
import { eachHeaderHash } from '../../codec/headerHashes.ts'
import type { BlockId, Header } from '../../chain/block.ts'
import { dataHash, headerHash, voteSignBytes } from '../../chain/hashing.ts'
import { readBase64 } from '../../codec/base64.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { bytesOfDigits } from '../../codec/hex.ts'
import { parseTime } from '../../codec/time.ts'
import { ed25519Verify } from '../../crypto/ed25519.ts'
import { sha256 } from '../../crypto/hash.ts'
import { heightAsked, isCallTo } from '../playback/callKey.ts'
import { cometHeights } from '../playback/callTraits.ts'
import type { Library } from '../playback/library.ts'

type WireId = {
  readonly hash: string
  readonly parts: { readonly total: number; readonly hash: string }
}
type WireHeader = Readonly<Record<string, string>> & {
  readonly version: { readonly block?: string; readonly app?: string }
  readonly last_block_id: WireId
}
type WireSignature = {
  readonly block_id_flag: number
  readonly validator_address: string
  readonly timestamp: string
  readonly signature: string | null
}
type WireCommit = {
  readonly height: string
  readonly round: number
  readonly block_id: WireId
  readonly signatures: readonly WireSignature[]
}
type WireBlock = {
  readonly block_id: WireId
  readonly block: {
    readonly header: WireHeader
    readonly data: { readonly txs: readonly string[] | null }
  }
}
type WireSigned = {
  readonly signed_header: { readonly header: WireHeader; readonly commit: WireCommit }
}
type WireSet = {
  readonly validators: readonly {
    readonly address: string
    readonly pub_key: { readonly type: string; readonly value: string }
  }[]
}

/** The numbers of checked blocks and signatures, and the problems found. */
export type ChainCheck = {
  readonly blocks: number
  readonly signatures: number
  readonly problems: readonly string[]
}

/** Checks hashes of blocks and transactions, links to parents, and signatures. */
export function checkChain(library: Library): ChainCheck {
  const problems: string[] = []
  const ids = new Map<number, string>()
  const parents = new Map<number, string>()
  const keys = keysOf(library)
  let signatures = 0
  for (const key of library.answers.keys()) {
    const isBlock = isCallTo('comet', 'block', key)
    if (!isBlock && !isCallTo('comet', 'commit', key)) continue
    const height = Number(heightAsked(key) ?? 0)
    const value = height === 0 ? undefined : resultOf(library, key)
    if (value === undefined) continue
    if (isBlock) {
      const { block_id: id, block } = value as WireBlock
      problems.push(...blockProblems(height, value as WireBlock))
      ids.set(height, id.hash)
      parents.set(height, block.header.last_block_id.hash)
    } else {
      const found = commitProblems(keys, height, value as WireSigned)
      problems.push(...found.problems)
      signatures += found.signatures
    }
  }
  for (const [height, parent] of parents) {
    const before = ids.get(height - 1)
    if (before !== undefined && before !== parent) {
      problems.push(`block ${height}: the parent is not block ${height - 1}`)
    }
  }
  return { blocks: ids.size, signatures, problems }
}

function resultOf(library: Library, key: string): unknown {
  const answer = library.answers.get(key)?.at(-1)?.answer
  return answer?.ok === true ? (JSON.parse(answer.text) as unknown) : undefined
}

function blockProblems(height: number, { block_id: id, block: { header, data } }: WireBlock): readonly string[] {
  const hashes = (data.txs ?? []).map((tx) => sha256(bytesOf(tx)))
  return [
    ...(upperHexOf(headerHash(headerOf(header))) === id.hash
      ? []
      : [`block ${height}: the hash does not match the header`]),
    ...(upperHexOf(dataHash(hashes)) === header['data_hash']
      ? []
      : [`block ${height}: the transactions do not match the header`]),
  ]
}

type Keys = ReadonlyMap<string, { readonly type: string; readonly value: string }>

/** Returns the validators' keys by height and address, from all pages. */
function keysOf(library: Library): Keys {
  const found: (readonly [string, { readonly type: string; readonly value: string }])[] = []
  for (const key of library.answers.keys()) {
    const [height] = isCallTo('comet', 'validators', key) ? cometHeights(key) : []
    const set = height === undefined ? undefined : (resultOf(library, key) as WireSet | undefined)
    for (const { address, pub_key: one } of set?.validators ?? []) {
      found.push([`${height} ${address}`, one])
    }
  }
  return new Map(found)
}

type Checked = { readonly signatures: number; readonly problems: readonly string[] }

/**
 * Checks a commit. Signatures are checked only where the validator set of the height is recorded;
 * otherwise, only the header is.
 */
function commitProblems(keys: Keys, height: number, { signed_header: { header, commit } }: WireSigned): Checked {
  const own = headerOf(header)
  const isOfHeader = upperHexOf(headerHash(own)) === commit.block_id.hash
  const problems = isOfHeader ? [] : [`commit ${height}: the block id does not match the header`]
  let signatures = 0
  for (const one of commit.signatures) {
    const key = keys.get(`${height} ${one.validator_address}`)
    if (one.block_id_flag === 1 || key?.type !== 'tendermint/PubKeyEd25519') continue
    signatures += 1
    const signed = voteSignBytes(
      {
        type: 2,
        height: BigInt(commit.height),
        round: commit.round,
        time: parseTime(one.timestamp),
        blockId: one.block_id_flag === 2 ? idOf(commit.block_id) : undefined,
      },
      own.chainId,
    )
    if (ed25519Verify(signed, bytesOf(one.signature ?? ''), bytesOf(key.value))) continue
    problems.push(`commit ${height}: the signature of ${one.validator_address} is invalid`)
  }
  return { signatures, problems }
}

function headerOf(wire: WireHeader): Header {
  const { version } = wire
  return {
    version: { block: BigInt(version.block ?? 0), app: BigInt(version.app ?? 0) },
    chainId: wire['chain_id'] ?? '',
    height: BigInt(wire['height'] ?? 0),
    time: parseTime(wire['time'] ?? ''),
    lastBlockId: idOf(wire.last_block_id),
    ...eachHeaderHash((json) => digitsOf(wire[json] ?? '')),
  }
}

function idOf({ hash, parts }: WireId): BlockId {
  return { hash: digitsOf(hash), parts: { total: parts.total, hash: digitsOf(parts.hash) } }
}

function digitsOf(text: string): Uint8Array {
  return bytesOfDigits(text.toLowerCase()) ?? new Uint8Array(0)
}

function bytesOf(text: string): Uint8Array {
  const bytes = readBase64(text)
  return typeof bytes === 'string' ? new Uint8Array(0) : bytes
}
