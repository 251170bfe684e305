/** Mints coins in every block (cosmos-sdk x/mint). Rates are 18-place decimals. */
import { message, text, uint64 } from '../../../../codec/protobuf/message.ts'
import { feeCollector, moduleAddress } from '../../address.ts'
import { emit, type Context } from '../../context.ts'
import { decimalText, divide, multiply, one, truncated } from '../../decimal.ts'
import { storedForm } from '../../storedForm.ts'
import { digits } from '../../wire.ts'
import { getBalance, getSupply } from '../bank/balances.ts'
import { mintCoins, sendFromModule } from '../bank/send.ts'

export type Minter = { inflation: bigint; annualProvisions: bigint }
export type MintParams = {
  mintDenom: string
  inflationRateChange: bigint
  inflationMax: bigint
  inflationMin: bigint
  goalBonded: bigint
  blocksPerYear: bigint
}

const minterForm = storedForm(message<Minter>({ 1: ['inflation', digits], 2: ['annualProvisions', digits] }))
export const mintParamsMessage = message<MintParams>({
  1: ['mintDenom', text],
  2: ['inflationRateChange', digits],
  3: ['inflationMax', digits],
  4: ['inflationMin', digits],
  5: ['goalBonded', digits],
  6: ['blocksPerYear', uint64],
})
const mintParamsForm = storedForm(mintParamsMessage)
const minterKey = Uint8Array.of(0)
const paramsKey = Uint8Array.of(1)

/** Stores the minter's state. */
export function setMinter(context: Context, minter: Minter): void {
  context.store('mint').write(minterKey, minter, minterForm)
}

/** Returns the minter's state. */
export function getMinter(context: Context): Minter {
  return context.store('mint').read(minterKey, minterForm) ?? { inflation: 0n, annualProvisions: 0n }
}

/** Stores the parameters of x/mint. */
export function setMintParams(context: Context, params: MintParams): void {
  context.store('mint').set(paramsKey, mintParamsMessage.encode(params))
}

/**
 * Mints a block's share of the annual provisions to the fee collector; does nothing if no parameters
 * are stored.
 */
export function beginMint(context: Context): void {
  const params = context.store('mint').read(paramsKey, mintParamsForm)
  if (params === undefined) return
  const minter = getMinter(context)
  const denom = params.mintDenom
  const supply = getSupply(context, denom)
  const bonded = getBalance(context, moduleAddress('bonded_tokens_pool'), denom)
  const ratio = supply === 0n ? 0n : (bonded * one) / supply
  const inflation = nextInflation(minter.inflation, params, ratio)
  const provisions = inflation * supply
  setMinter(context, { inflation, annualProvisions: provisions })
  const amount = truncated(provisions / params.blocksPerYear)
  const coins = amount > 0n ? [{ denom, amount }] : []
  if (coins.length > 0) mintCoins(context, 'mint', coins)
  // As in the SDK, nothing is sent too, which emits the events of a transfer.
  sendFromModule(context, 'mint', feeCollector, coins)
  emit(context, 'mint', {
    bonded_ratio: decimalText(ratio),
    inflation: decimalText(inflation),
    annual_provisions: decimalText(provisions),
    amount: amount.toString(),
  })
}

/** Returns the next inflation, which moves toward the bonded ratio goal within its bounds. */
function nextInflation(inflation: bigint, params: MintParams, ratio: bigint): bigint {
  const perYear = multiply(one - divide(ratio, params.goalBonded), params.inflationRateChange)
  const next = inflation + divide(perYear, params.blocksPerYear * one)
  if (next > params.inflationMax) return params.inflationMax
  return next < params.inflationMin ? params.inflationMin : next
}
