/** New coins in every block (cosmos-sdk x/mint). Rates are 18-place decimals. */
import { message, text, uint64 } from '../../../../codec/protobuf/message.ts'
import { feeCollector, moduleAddress } from '../../address.ts'
import { emit, type Context } from '../../context.ts'
import { decimalText, divide, multiply, one, truncated } from '../../decimal.ts'
import { getBalance, getSupply } from '../bank/balances.ts'
import { mintCoins, sendFromModule } from '../bank/send.ts'

export type Minter = { inflation: string; annualProvisions: string }
/** Decimals as digits (LegacyDec). */
export type MintParams = {
  mintDenom: string
  inflationRateChange: string
  inflationMax: string
  inflationMin: string
  goalBonded: string
  blocksPerYear: bigint
}

const minterCodec = message<Minter>({ 1: ['inflation', text], 2: ['annualProvisions', text] })
const paramsCodec = message<MintParams>({
  1: ['mintDenom', text],
  2: ['inflationRateChange', text],
  3: ['inflationMax', text],
  4: ['inflationMin', text],
  5: ['goalBonded', text],
  6: ['blocksPerYear', uint64],
})
const minterKey = Uint8Array.of(0)
const paramsKey = Uint8Array.of(1)

/** Stores the state of minting. */
export function setMinter(context: Context, minter: Minter): void {
  context.store('mint').set(minterKey, minterCodec.encode(minter))
}

/** Stores the parameters. */
export function setMintParams(context: Context, params: MintParams): void {
  context.store('mint').set(paramsKey, paramsCodec.encode(params))
}

/** Mints a block's share of the annual provisions for the fee collector; without parameters nothing. */
export function beginMint(context: Context): void {
  const stored = context.store('mint').get(paramsKey)
  if (stored === undefined) return
  const params = paramsCodec.decode(stored)
  const minter = minterCodec.decode(context.store('mint').get(minterKey) ?? new Uint8Array(0))
  const denom = params.mintDenom
  const supply = getSupply(context, denom)
  const bonded = getBalance(context, moduleAddress('bonded_tokens_pool'), denom)
  const ratio = supply === 0n ? 0n : divide(bonded * one, supply * one)
  const inflation = nextInflation(BigInt(minter.inflation || '0'), params, ratio)
  const provisions = inflation * supply
  setMinter(context, { inflation: inflation.toString(), annualProvisions: provisions.toString() })
  const amount = truncated(provisions / params.blocksPerYear)
  if (amount > 0n) {
    mintCoins(context, 'mint', [{ denom, amount }])
    sendFromModule(context, 'mint', feeCollector, [{ denom, amount }])
  }
  emit(context, 'mint', {
    bonded_ratio: decimalText(ratio), inflation: decimalText(inflation),
    annual_provisions: decimalText(provisions), amount: amount.toString(),
  })
}

/** Inflation moves towards the goal of bonded tokens and stays within its bounds. */
function nextInflation(inflation: bigint, params: MintParams, ratio: bigint): bigint {
  const perYear = multiply(
    one - divide(ratio, BigInt(params.goalBonded)), BigInt(params.inflationRateChange),
  )
  const next = inflation + divide(perYear, params.blocksPerYear * one)
  const max = BigInt(params.inflationMax)
  const min = BigInt(params.inflationMin)
  if (next > max) return max
  return next < min ? min : next
}
