/** Loads the fee market and the EVM from a genesis document. */
import type { VmParams } from '../../../codec/messages/cosmosEvm.ts'
import { keccak256 } from '../../../crypto/hash.ts'
import type { Context } from '../context.ts'
import { createAccount, getAccount, moduleAccount } from '../modules/auth/accounts.ts'
import { reserve } from '../address.ts'
import { getBalance } from '../modules/bank/balances.ts'
import { getMetadata } from '../modules/bank/params.ts'
import { getEvmParams, setCode, setCodeHash, setEvmParams, setSlot } from '../modules/evm/store.ts'
import { evmCoin, setCoinInfo } from '../evmCoin.ts'
import { isDenom } from '../coins.ts'
import { setBlockGas, setFeemarketParams } from '../modules/feemarket/params.ts'
import { setFraction, setRemainder } from '../modules/precisebank/fractions.ts'
import {
  address,
  decimal,
  flag,
  hexBytes,
  integer,
  InvalidGenesis,
  list,
  section,
  type Section,
  text,
  texts,
} from './read.ts'

/** Loads x/feemarket. */
export function loadFeemarket(context: Context, feemarket: Section): void {
  const params = section(feemarket, 'params')
  setFeemarketParams(context, {
    noBaseFee: flag(params, 'no_base_fee'),
    denominator: integer(params, 'base_fee_change_denominator'),
    elasticity: integer(params, 'elasticity_multiplier'),
    enableHeight: integer(params, 'enable_height'),
    baseFee: decimal(params, 'base_fee', ''),
    minGasPrice: decimal(params, 'min_gas_price', ''),
    minGasMultiplier: decimal(params, 'min_gas_multiplier', ''),
  })
  setBlockGas(context, integer(feemarket, 'block_gas'))
}

/** Loads x/vm: parameters, contracts with their storage, preinstalls. */
export function loadEvm(context: Context, evm: Section): void {
  setEvmParams(context, paramsOf(section(evm, 'params')))
  loadCoinInfo(context, evm)
  for (const contract of [...list(evm, 'accounts'), ...list(evm, 'preinstalls')]) {
    const at = hexBytes(contract, 'address')
    if (getAccount(context, at) === undefined) createAccount(context, at)
    const code = hexBytes(contract, 'code')
    const hash = keccak256(code)
    setCodeHash(context, at, hash)
    setCode(context, hash, code)
    for (const slot of list(contract, 'storage')) {
      setSlot(context, at, { key: hexBytes(slot, 'key'), value: hexBytes(slot, 'value') })
    }
  }
}

/**
 * Stores the EVM's coin. Throws `InvalidGenesis` unless x/bank has its metadata, with as many decimals as the node
 * knows, and fewer than 18 come with a denomination for wei (x/vm coin_info.go, types/denom.go).
 */
function loadCoinInfo(context: Context, { path }: Section): void {
  const { evmDenom: denom, extendedDenomOptions } = getEvmParams(context)
  const metadata = getMetadata(context, denom)
  if (metadata === undefined) {
    throw new InvalidGenesis(`${path}.params.evm_denom`, 'described in bank')
  }
  const unit = metadata.denomUnits.find((each) => each.denom === metadata.display)
  const decimals = unit?.exponent ?? 0
  if (decimals < 1 || decimals > 18) throw new InvalidGenesis(`${path}.params.evm_denom`, 'of 1 to 18 decimals')
  const extendedDenom = decimals === 18 ? denom : (extendedDenomOptions?.extendedDenom ?? '')
  if (!isDenom(extendedDenom)) {
    const expected = `the denomination of wei, because ${denom} has ${decimals} decimals`
    throw new InvalidGenesis(`${path}.params.extended_denom_options.extended_denom`, expected)
  }
  setCoinInfo(context, { denom, extendedDenom, displayDenom: metadata.display, decimals })
}

/**
 * Loads x/precisebank, which keeps fractions of the EVM's coin: none with 18 decimals. Throws `InvalidGenesis`
 * unless they make whole coins together with the remainder, which the module's account holds (x/precisebank
 * genesis.go).
 */
export function loadPrecisebank(context: Context, precisebank: Section): void {
  moduleAccount(context, 'precisebank')
  const coin = evmCoin(context)
  const most = coin.factor - 1n
  const fractionIn = (from: Section, name: string): bigint => {
    const wei = integer(from, name)
    if (wei >= 0n && wei <= most) return wei
    throw new InvalidGenesis(
      `${from.path}.${name}`,
      `from 0 to ${most}, because the coin has ${coin.decimals} decimals`,
    )
  }
  const remainder = fractionIn(precisebank, 'remainder')
  let total = remainder
  for (const balance of list(precisebank, 'balances')) {
    const wei = fractionIn(balance, 'amount')
    setFraction(context, address(context, balance, 'address'), coin, wei)
    total += wei
  }
  setRemainder(context, coin, remainder)
  const reserved = getBalance(context, reserve, coin.denom) * coin.factor
  if (total === 0n || total === reserved) return
  const held = `${reserved}${coin.extendedDenom}, which its module account holds`
  throw new InvalidGenesis(precisebank.path, `fractions and a remainder of ${held}, together; they are ${total}`)
}

function paramsOf(params: Section): VmParams {
  const access = section(params, 'access_control')
  const extended = section(params, 'extended_denom_options')
  return {
    evmDenom: text(params, 'evm_denom'),
    extraEips: texts(params, 'extra_eips').map(BigInt),
    evmChannels: texts(params, 'evm_channels'),
    accessControl: {
      create: accessOf(section(access, 'create')),
      call: accessOf(section(access, 'call')),
    },
    activeStaticPrecompiles: [...texts(params, 'active_static_precompiles')].sort(),
    historyServeWindow: integer(params, 'history_serve_window'),
    extendedDenomOptions: { extendedDenom: text(extended, 'extended_denom') },
  }
}

const accessTypes = ['ACCESS_TYPE_PERMISSIONLESS', 'ACCESS_TYPE_RESTRICTED', 'ACCESS_TYPE_PERMISSIONED']

function accessOf(access: Section): { accessType: number; accessControlList: readonly string[] } {
  const name = text(access, 'access_type')
  const accessType = name === '' ? 0 : accessTypes.indexOf(name)
  if (accessType < 0) {
    throw new InvalidGenesis(`${access.path}.access_type`, accessTypes.join(' or '))
  }
  return { accessType, accessControlList: texts(access, 'access_control_list') }
}
