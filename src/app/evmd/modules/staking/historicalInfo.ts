/** Headers and validator sets of recent heights, for light clients of other chains (x/staking). */
import { eachHeaderHash } from '../../../../codec/headerHashes.ts'
import { header, type Header } from '../../../../codec/protobuf/comet.ts'
import { always, bytes, type Message, message, repeated } from '../../../../codec/protobuf/message.ts'
import { compareBytes } from '../../../../data/bytes.ts'
import { remembered } from '../../../../data/remembered.ts'
import { blockTime } from '../../blockTime.ts'
import type { Context } from '../../context.ts'
import { bigEndian, storeKey } from '../../storeKeys.ts'
import { stakingParams } from './params.ts'
import { consensusAddress, consensusPower, type Validator, validatorMessage } from './validator.ts'
import { getValidator, lastPowers } from './validators.ts'

type HistoricalInfo = { header: Header; validators: readonly Uint8Array[] }

const infoMessage = message<HistoricalInfo>({
  1: ['header', always(header)],
  2: ['validators', repeated(bytes)],
})

/** Cached, because every block stores all validators, but few blocks change one. */
const encoder = remembered((codec: Message<Validator>) => remembered((validator: Validator) => codec.encode(validator)))

/** The fields of a header that are known while its block is executed. */
export type KnownHeader = {
  readonly nextValidatorsHash: Uint8Array
  readonly appHash: Uint8Array
}

/** Stores the header and the validator set of the block that begins, and deletes the oldest. */
export function trackHistory(context: Context, known: KnownHeader): void {
  const { historicalEntries } = stakingParams(context)
  const { height } = context.block
  const store = context.store('staking')
  for (let old = height - BigInt(historicalEntries); old >= 0n; old--) {
    if (!store.has(infoKey(old))) break
    store.delete(infoKey(old))
  }
  if (historicalEntries === 0) return
  const validators = lastPowers(context).map(({ operator }) => getValidator(context, operator))
  const info = {
    header: headerOf(context, known),
    validators: validators.toSorted(byPower).map(encoder(validatorMessage(context))),
  }
  store.set(infoKey(height), infoMessage.encode(info))
}

/** Returns the stored bytes for a height, or undefined. */
export function historicalInfo(context: Context, height: bigint): Uint8Array | undefined {
  return context.store('staking').get(infoKey(height))
}

const none = new Uint8Array(0)
const noHashes = eachHeaderHash(() => none)

function headerOf(context: Context, { nextValidatorsHash, appHash }: KnownHeader): Header {
  const { height, chainId, proposerAddress } = context.block
  return {
    version: { block: 0n, app: 0n },
    chainId,
    height,
    time: blockTime(context),
    lastBlockId: { hash: none, parts: { total: 0, hash: none } },
    ...noHashes,
    nextValidatorsHash,
    appHash,
    proposerAddress,
  }
}

function byPower(a: Validator, b: Validator): number {
  const difference = consensusPower(b) - consensusPower(a)
  if (difference !== 0n) return difference < 0n ? -1 : 1
  return compareBytes(consensusAddress(a), consensusAddress(b))
}

function infoKey(height: bigint): Uint8Array {
  return storeKey(0x50, bigEndian(height))
}
