/**
 * What a light client of CometBFT checks, written from the specification alone: own protobuf, own
 * Merkle tree, hashes and signatures of noble. Nothing here comes from `src/` but the types it
 * reads.
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { BlockRecord, Commit, Header } from '../../src/chain/block.ts'
import type { Time } from '../../src/data/time.ts'

type Bytes = Uint8Array

const join = (...parts: readonly Bytes[]): Bytes => Uint8Array.from(parts.flatMap((part) => [...part]))

function varint(value: bigint): Bytes {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  return Uint8Array.from([...bytes, Number(rest)])
}

const number = (field: number, value: bigint): Bytes =>
  value === 0n ? Uint8Array.of() : join(varint(BigInt(field << 3)), varint(value))
const message = (field: number, value: Bytes): Bytes =>
  join(varint(BigInt((field << 3) | 2)), varint(BigInt(value.length)), value)
const bytes = (field: number, value: Bytes): Bytes => (value.length === 0 ? Uint8Array.of() : message(field, value))
const text = (field: number, value: string): Bytes => bytes(field, new TextEncoder().encode(value))

function fixed(field: number, value: bigint): Bytes {
  if (value === 0n) return Uint8Array.of()
  const eight = new Uint8Array(8)
  new DataView(eight.buffer).setBigInt64(0, value, true)
  return join(varint(BigInt((field << 3) | 1)), eight)
}

const timeBytes = ({ seconds, nanos }: Time): Bytes => join(number(1, seconds), number(2, BigInt(nanos)))
const idBytes = ({ hash, parts }: Header['lastBlockId']): Bytes =>
  join(bytes(1, hash), message(2, join(number(1, BigInt(parts.total)), bytes(2, parts.hash))))

/** The root of RFC 6962's tree. */
function root(leaves: readonly Bytes[]): Bytes {
  if (leaves.length === 0) return sha256(Uint8Array.of())
  const [only] = leaves
  if (leaves.length === 1 && only !== undefined) return sha256(join(Uint8Array.of(0), only))
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return sha256(join(Uint8Array.of(1), root(leaves.slice(0, split)), root(leaves.slice(split))))
}

function headerFields(header: Header): Bytes[] {
  const {
    version,
    lastCommitHash,
    dataHash,
    validatorsHash,
    nextValidatorsHash,
    consensusHash,
    appHash,
    lastResultsHash,
    evidenceHash,
    proposerAddress,
  } = header
  return [
    join(number(1, version.block), number(2, version.app)),
    text(1, header.chainId),
    number(1, header.height),
    timeBytes(header.time),
    idBytes(header.lastBlockId),
    ...[
      lastCommitHash,
      dataHash,
      validatorsHash,
      nextValidatorsHash,
      consensusHash,
      appHash,
      lastResultsHash,
      evidenceHash,
      proposerAddress,
    ].map((value) => bytes(1, value)),
  ]
}

function signatureBytes({ flag, address, time, signature }: Commit['signatures'][number]): Bytes {
  return join(number(1, BigInt(flag)), bytes(2, address), message(3, timeBytes(time)), bytes(4, signature))
}

function blockBytes({ header, txs, lastCommit }: BlockRecord['block']): Bytes {
  const hashes = [
    header.lastCommitHash,
    header.dataHash,
    header.validatorsHash,
    header.nextValidatorsHash,
    header.consensusHash,
    header.appHash,
    header.lastResultsHash,
    header.evidenceHash,
    header.proposerAddress,
  ]
  const head = join(
    message(1, join(number(1, header.version.block), number(2, header.version.app))),
    text(2, header.chainId),
    number(3, header.height),
    message(4, timeBytes(header.time)),
    message(5, idBytes(header.lastBlockId)),
    ...hashes.map((hash, index) => bytes(6 + index, hash)),
  )
  const commit = join(
    number(1, lastCommit.height),
    number(2, BigInt(lastCommit.round)),
    message(3, idBytes(lastCommit.blockId)),
    ...lastCommit.signatures.map((one) => message(4, signatureBytes(one))),
  )
  return join(
    message(1, head),
    message(2, join(...txs.map((tx) => message(1, tx)))),
    message(3, Uint8Array.of()),
    message(4, commit),
  )
}

const hex = (value: Bytes) => Buffer.from(value).toString('hex')

type Set = BlockRecord['validators']

/** Says what is wrong with a block and the commit for it, in words; nothing when it holds. */
export function complaints(record: BlockRecord, commit: Commit, before: BlockRecord | undefined): string[] {
  const {
    block: { header, txs, lastCommit },
    id,
    validators,
  } = record
  const wrong: string[] = []
  const same = (what: string, is: Bytes, wanted: Bytes) => {
    if (hex(is) !== hex(wanted)) wrong.push(`${what} at ${header.height}`)
  }
  same('block hash', id.hash, root(headerFields(header)))
  same('data hash', header.dataHash, root(txs.map((tx) => sha256(tx))))
  same('commit hash', header.lastCommitHash, root(lastCommit.signatures.map(signatureBytes)))
  same('validators hash', header.validatorsHash, setHash(validators))
  const encoded = blockBytes(record.block)
  if (encoded.length !== record.sizeBytes) wrong.push(`size at ${header.height}`)
  const parts = Array.from({ length: Math.ceil(encoded.length / 65_536) }, (_, index) =>
    encoded.slice(index * 65_536, (index + 1) * 65_536),
  )
  same('part set', id.parts.hash, root(parts))
  if (before !== undefined) {
    same('next validators', before.block.header.nextValidatorsHash, header.validatorsHash)
    same('last block', header.lastBlockId.hash, before.id.hash)
    same('app hash', header.appHash, before.results.appHash)
    same(
      'results hash',
      header.lastResultsHash,
      root(
        before.results.txResults.map(({ code, data, gasWanted, gasUsed }) =>
          join(number(1, BigInt(code)), bytes(2, data ?? Uint8Array.of()), number(5, gasWanted), number(6, gasUsed)),
        ),
      ),
    )
    if (hex(timeBytes(header.time)) !== hex(timeBytes(median(lastCommit, before.validators)))) {
      wrong.push(`time at ${header.height}`)
    }
    const later = header.time.seconds - before.block.header.time.seconds
    if (later < 0n || (later === 0n && header.time.nanos <= before.block.header.time.nanos)) {
      wrong.push(`order of time at ${header.height}`)
    }
    wrong.push(...commitComplaints(header.chainId, lastCommit, before))
  }
  return [...wrong, ...commitComplaints(header.chainId, commit, record)]
}

/** Says what is wrong with a commit for a block. */
function commitComplaints(
  chainId: string,
  commit: Commit,
  { id, validators, block: { header } }: BlockRecord,
): string[] {
  const wrong: string[] = []
  const at = `in a commit of ${header.height}`
  if (commit.height !== header.height || hex(idBytes(commit.blockId)) !== hex(idBytes(id))) {
    wrong.push(`block id ${at}`)
  }
  if (commit.signatures.length !== validators.validators.length) {
    wrong.push(`number of signatures ${at}`)
  }
  let power = 0n
  for (const [index, { flag, address, time, signature }] of commit.signatures.entries()) {
    const validator = validators.validators[index]
    if (flag === 1 || validator === undefined) continue
    const body = join(
      number(1, 2n),
      fixed(2, commit.height),
      fixed(3, BigInt(commit.round)),
      message(4, idBytes(commit.blockId)),
      message(5, timeBytes(time)),
      text(6, chainId),
    )
    const isGood =
      hex(address) === hex(validator.address) &&
      hex(address) === hex(sha256(validator.publicKey.bytes).slice(0, 20)) &&
      ed25519.verify(signature, join(varint(BigInt(body.length)), body), validator.publicKey.bytes)
    if (!isGood) wrong.push(`signature ${index} ${at}`)
    power += validator.power
  }
  if (power * 3n <= validators.validators.reduce((sum, one) => sum + one.power, 0n) * 2n) {
    wrong.push(`power ${at}`)
  }
  return wrong
}

function setHash({ validators }: Set): Bytes {
  return root(validators.map(({ publicKey, power }) => join(message(1, bytes(1, publicKey.bytes)), number(2, power))))
}

function median({ signatures }: Commit, { validators }: Set): Time {
  const votes = signatures
    .map((one, index) => ({ ...one, power: validators[index]?.power ?? 0n }))
    .filter(({ flag }) => flag !== 1)
    .sort((a, b) => Number(a.time.seconds - b.time.seconds) || a.time.nanos - b.time.nanos)
  let rest = votes.reduce((sum, { power }) => sum + power, 0n) / 2n
  for (const { time, power } of votes) {
    if (rest <= power) return time
    rest -= power
  }
  return { seconds: 0n, nanos: 0 }
}
