/** Validates the parameters that x/gov sets, with the error texts of each module's `Validate`. */
import type { AuthParams, BankParams } from '../../../../codec/messages/cosmos.ts'
import type { FeemarketParams, VmParams } from '../../../../codec/messages/cosmosEvm.ts'
import { goQuote } from '../../../../codec/goText.ts'
import { decimalOf, decimalText, one } from '../../decimal.ts'
import { type Coin, areValid, coinsText, isDenom } from '../../coins.ts'
import { wrongChannel } from '../../ibcId.ts'
import { isHexAddress } from '../erc20/tokenPairs.ts'
import type { DistributionParams } from '../distribution/store.ts'
import type { GovParams } from '../gov/params.ts'
import type { MintParams } from '../mint/mint.ts'
import type { SlashingParams } from '../slashing/signingInfo.ts'
import type { StakingParams } from '../staking/params.ts'

/** The error text for invalid parameters; undefined if they are valid. */
type Wrong = string | undefined
const first = (...wrong: readonly Wrong[]): Wrong => wrong.find((each) => each !== undefined)
const positive = (name: string, value: bigint): Wrong => (value > 0n ? undefined : `${name} must be positive: ${value}`)

/** Checks that a decimal is between 0 and 1. */
function ratio(name: string, value: bigint, tooLarge = `${name} too large`): Wrong {
  if (value < 0n) return `${name} cannot be negative: ${decimalText(value)}`
  return value > one ? `${tooLarge}: ${decimalText(value)}` : undefined
}

function denom(name: string, value: string): Wrong {
  if (value.trim() === '') return `${name} denom cannot be blank`
  return isDenom(value) ? undefined : `invalid denom: ${value}`
}

function seconds(name: string, nanos: bigint): Wrong {
  return nanos > 0n ? undefined : `${name} must be positive: ${nanos / 1_000_000_000n}s`
}

/** Returns the error text for x/auth parameters; undefined if they are valid. */
export function wrongAuth(params: AuthParams): Wrong {
  const present = (name: string, value: bigint): Wrong => (value === 0n ? `invalid ${name}: 0` : undefined)
  return first(
    present('tx signature limit', params.txSigLimit),
    present('ED25519 signature verification cost', params.sigVerifyCostEd25519),
    present('SECK256k1 signature verification cost', params.sigVerifyCostSecp256k1),
    present('max memo characters', params.maxMemoCharacters),
    present('tx size cost per byte', params.txSizeCostPerByte),
  )
}

/** Returns the error text for x/bank parameters; undefined if they are valid. */
export function wrongBank({ sendEnabled }: BankParams): Wrong {
  return sendEnabled.length > 0 ? 'use of send_enabled in params is no longer supported' : undefined
}

/** Returns the error text for the denominations of MsgSetSendEnabled; undefined if they are valid. */
export function wrongSendEnabled({
  entries,
  useDefault,
}: {
  readonly entries: readonly { readonly denom: string }[]
  readonly useDefault: readonly string[]
}): Wrong {
  const denoms = entries.map((entry) => entry.denom)
  for (const [at, each] of denoms.entries()) {
    if (denoms.indexOf(each) < at) return `duplicate denom entries found for ${goQuote(each)}`
    if (!isDenom(each)) return `invalid SendEnabled denom ${goQuote(each)}: invalid denom: ${each}`
  }
  const wrong = useDefault.find((each) => !isDenom(each))
  return wrong === undefined ? undefined : `invalid UseDefaultFor denom ${goQuote(wrong)}: invalid denom: ${wrong}`
}

/** Returns the error text for x/staking parameters; undefined if they are valid. */
export function wrongStaking(params: StakingParams): Wrong {
  return first(
    positive('unbonding time', params.unbondingTime),
    positive('max validators', BigInt(params.maxValidators)),
    positive('max entries', BigInt(params.maxEntries)),
    denom('bond', params.bondDenom),
    ratio('minimum commission rate', params.minCommissionRate, 'minimum commission rate cannot be greater than 100%'),
  )
}

/** Returns the error text for x/slashing parameters; undefined if they are valid. */
export function wrongSlashing(params: SlashingParams): Wrong {
  return first(
    positive('signed blocks window', params.signedBlocksWindow),
    ratio('min signed per window', params.minSignedPerWindow),
    seconds('downtime jail duration', params.downtimeJailDuration),
    ratio('double sign slash fraction', params.slashFractionDoubleSign),
    ratio('downtime slash fraction', params.slashFractionDowntime),
  )
}

/** Returns the error text for x/mint parameters; undefined if they are valid. */
export function wrongMint(params: MintParams): Wrong {
  const { inflationMax, inflationMin, goalBonded } = params
  return first(
    denom('mint', params.mintDenom),
    ratio('inflation rate change', params.inflationRateChange),
    ratio('max inflation', inflationMax),
    ratio('min inflation', inflationMin),
    goalBonded <= 0n ? `goal bonded must be positive: ${decimalText(goalBonded)}` : undefined,
    ratio('goal bonded', goalBonded),
    positive('blocks per year', params.blocksPerYear),
    inflationMax < inflationMin
      ? `max inflation (${decimalText(inflationMax)}) must be greater than or equal to min ` +
          `inflation (${decimalText(inflationMin)})`
      : undefined,
  )
}

/** Returns the error text for x/distribution parameters; undefined if they are valid. */
export function wrongDistribution({ communityTax }: DistributionParams): Wrong {
  if (communityTax < 0n) return `community tax must be positive: ${decimalText(communityTax)}`
  return ratio('community tax', communityTax)
}

/** Returns the error text for x/feemarket parameters; undefined if they are valid. */
export function wrongFeemarket(params: FeemarketParams): Wrong {
  const { baseFee, minGasPrice, minGasMultiplier } = params
  const all = [baseFee, minGasPrice, minGasMultiplier]
  const spelled = all.find((each) => !/^-?\d{0,90}$/.test(each))
  if (spelled !== undefined) return `failed to set decimal string with base 10: ${spelled}`
  const [multiplier, price] = [BigInt(minGasMultiplier), BigInt(minGasPrice)]
  if (params.baseFeeChangeDenominator === 0) return 'base fee change denominator cannot be 0'
  if (BigInt(baseFee) < 0n) {
    return `initial base fee cannot be negative: ${decimalText(BigInt(baseFee))}`
  }
  if (params.enableHeight < 0n) return `enable height cannot be negative: ${params.enableHeight}`
  if (params.elasticityMultiplier === 0) return 'elasticity multiplier cannot be zero: 0'
  return first(
    ratio('value', multiplier, 'value cannot be greater than 1'),
    price < 0n ? `value cannot be negative: ${decimalText(price)}` : undefined,
  )
}

/** The EIPs that go-ethereum and Cosmos EVM can activate, in the order of their text. */
const activatable = '0 1 1153 1344 1884 2 2200 2929 3198 3529 3855 3860 4762 5656 6780 7702 7939'.split(' ')

/** Returns the error text for x/vm parameters; undefined if they are valid. */
export function wrongEvm({ extraEips, activeStaticPrecompiles, accessControl, evmChannels }: VmParams): Wrong {
  return first(
    wrongEips(extraEips.map(String)),
    wrongPrecompiles(activeStaticPrecompiles),
    wrongAccess(accessControl.create),
    wrongAccess(accessControl.call),
    ...evmChannels.map(wrongChannel),
  )
}

function wrongEips(eips: readonly string[]): Wrong {
  for (const [at, eip] of eips.entries()) {
    if (!activatable.includes(eip)) {
      return `EIP ${eip} is not activateable, valid EIPs are: [${activatable.join(' ')}]`
    }
    if (eips.indexOf(eip) < at) return `found duplicate EIP: ${eip}`
  }
  return undefined
}

function wrongPrecompiles(addresses: readonly string[]): Wrong {
  for (const [at, address] of addresses.entries()) {
    if (addresses.indexOf(address) < at) return `duplicate precompile ${address}`
    if (!isHexAddress(address)) return `invalid precompile ${address}`
  }
  const isSorted = addresses.every((address, at) => at === 0 || (addresses[at - 1] ?? '') <= address)
  return isSorted ? undefined : `precompiles need to be sorted: [${addresses.join(' ')}]`
}

function wrongAccess({ accessType, accessControlList }: VmParams['accessControl']['create']): Wrong {
  if (accessType < 0 || accessType > 2) return `invalid access type: ${accessType}`
  const wrong = accessControlList.find((address) => !isHexAddress(address))
  return wrong === undefined ? undefined : `invalid whitelist address: ${wrong}`
}

/** Returns the error text for x/gov parameters; undefined if they are valid. */
export function wrongGov(params: GovParams): Wrong {
  const { votingPeriod, expeditedVotingPeriod: expedited } = params
  return first(
    wrongDeposits(params),
    seconds('maximum deposit period', params.maxDepositPeriod),
    share('quorum', 'quorom', params.quorum),
    threshold('threshold', 'vote', params.threshold),
    threshold('expedited threshold', 'expedited vote', params.expeditedThreshold),
    wrongThresholds(params),
    threshold('vetoThreshold', 'veto', params.vetoThreshold),
    seconds('voting period', votingPeriod),
    seconds('expedited voting period', expedited),
    expedited >= votingPeriod
      ? `expedited voting period ${expedited / 1_000_000_000n}s must be strictly less that the ` +
          `regular voting period ${votingPeriod / 1_000_000_000n}s`
      : undefined,
    share(
      'mininum initial deposit ratio of proposal',
      'mininum initial deposit ratio of proposal',
      params.minInitialDepositRatio,
    ),
    share('burn rate of cancel proposal', 'burn rate of cancel proposal', params.proposalCancelRatio),
  )
}

function wrongDeposits({ minDeposit, expeditedMinDeposit: expedited }: GovParams): Wrong {
  const isNone = (coins: readonly Coin[]): boolean => coins.length === 0 || !areValid(coins)
  if (isNone(minDeposit)) return `invalid minimum deposit: ${coinsText(minDeposit)}`
  if (isNone(expedited)) return `invalid expedited minimum deposit: ${coinsText(expedited)}`
  const isMore = expedited.some(
    ({ denom: name, amount }) => amount > (minDeposit.find((each) => each.denom === name)?.amount ?? 0n),
  )
  return isMore ? undefined : `expedited minimum deposit must be greater than minimum deposit: ${coinsText(expedited)}`
}

function wrongThresholds({ threshold: regular, expeditedThreshold }: GovParams): Wrong {
  const [low = 0n, high = 0n] = [decimalOf(regular), decimalOf(expeditedThreshold)]
  return high > low
    ? undefined
    : `expedited vote threshold ${decimalText(high)}, must be greater ` +
        `than the regular threshold ${decimalText(low)}`
}

function share(name: string, short: string, spelled: string): Wrong {
  const value = decimalOf(spelled)
  if (value === undefined) return `invalid ${name}: ${spelled}`
  return ratio(short, value)
}

function threshold(name: string, short: string, spelled: string): Wrong {
  const value = decimalOf(spelled)
  if (value === undefined) return `invalid ${name} string: ${spelled}`
  if (value <= 0n) return `${short} threshold must be positive: ${decimalText(value)}`
  return ratio(`${short} threshold`, value)
}
