/** Loads the fee market and the EVM from a genesis document. */
import type { VmParams } from '../../../codec/messages/cosmosEvm.ts'
import { keccak256 } from '../../../crypto/hash.ts'
import type { Context } from '../context.ts'
import { createAccount, getAccount, moduleAccount } from '../modules/auth/accounts.ts'
import { getMetadata } from '../modules/bank/params.ts'
import { getEvmParams, setCode, setCodeHash, setCoinInfo, setEvmParams, setSlot } from '../modules/evm/store.ts'
import { setBlockGas, setFeemarketParams } from '../modules/feemarket/params.ts'
import { decimal, flag, hexBytes, integer, InvalidGenesis, list, section, type Section, text, texts } from './read.ts'

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
    const address = hexBytes(contract, 'address')
    if (getAccount(context, address) === undefined) createAccount(context, address)
    const code = hexBytes(contract, 'code')
    const hash = keccak256(code)
    setCodeHash(context, address, hash)
    setCode(context, hash, code)
    for (const slot of list(contract, 'storage')) {
      setSlot(context, address, { key: hexBytes(slot, 'key'), value: hexBytes(slot, 'value') })
    }
  }
}

/**
 * Stores the EVM's coin. Throws `InvalidGenesis` unless x/bank has its metadata, with 18 decimals.
 */
function loadCoinInfo(context: Context, { path }: Section): void {
  const { evmDenom: denom } = getEvmParams(context)
  const metadata = getMetadata(context, denom)
  if (metadata === undefined) {
    throw new InvalidGenesis(`${path}.params.evm_denom`, 'described in bank')
  }
  const unit = metadata.denomUnits.find((each) => each.denom === metadata.display)
  const decimals = unit?.exponent ?? 0
  if (decimals !== 18) throw new InvalidGenesis(`${path}.params.evm_denom`, 'of 18 decimals')
  setCoinInfo(context, { denom, extendedDenom: denom, displayDenom: metadata.display, decimals })
}

/**
 * Loads x/precisebank, which keeps fractions of the EVM's coin. With 18 decimals it has none, so evmd
 * refuses them, too. Throws `InvalidGenesis`.
 */
export function loadPrecisebank(context: Context, precisebank: Section): void {
  moduleAccount(context, 'precisebank')
  const refused = (name: string, expected: string) =>
    new InvalidGenesis(
      `${precisebank.path}.${name}`,
      `${expected}: the EVM's coin has 18 decimals, so it has no fractions`,
    )
  if (list(precisebank, 'balances').length > 0) throw refused('balances', 'empty')
  if (integer(precisebank, 'remainder') !== 0n) throw refused('remainder', '0')
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
