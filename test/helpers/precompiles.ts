/** A chain with the contract `Caller`, funded, and ways to call it. */
import { cosmosTexts } from './addressing.ts'
import {
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  hexToBytes,
  parseAbi,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import type { AbciEvent, TxResult } from '../../src/app/abci.ts'
import { createDraft } from '../../src/app/draft.ts'
import { type Context, newContext } from '../../src/app/evmd/context.ts'
import type { EvmResult } from '../../src/evm/types.ts'
import { genesisDocument } from '../../src/app/evmd/genesisDocument.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { evmChainId, startChain, type TestChain } from './evmdChain.ts'
import { testEngine } from './engine.ts'
import { asHex, contract } from './solc.ts'

export const alice = mnemonicToAccount('test test test test test test test test test test test junk')
export const caller = getContractAddress({ from: alice.address, nonce: 0n })
export const { abi } = contract('Caller')
export const fundsOfCaller = 10n ** 18n

export const at = {
  p256: '0x0000000000000000000000000000000000000100',
  bech32: '0x0000000000000000000000000000000000000400',
  staking: '0x0000000000000000000000000000000000000800',
  distribution: '0x0000000000000000000000000000000000000801',
  ics20: '0x0000000000000000000000000000000000000802',
  vesting: '0x0000000000000000000000000000000000000803',
  bank: '0x0000000000000000000000000000000000000804',
  gov: '0x0000000000000000000000000000000000000805',
  slashing: '0x0000000000000000000000000000000000000806',
  coin: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
} as const

/** Methods as clients write them. */
export const methods = parseAbi([
  'function balances(address) view returns ((address,uint256)[])',
  'function supplyOf(address) view returns (uint256)',
  'function delegate(address,string,uint256) returns (bool)',
  'function delegation(address,string) view returns (uint256,(string,uint256))',
  'function validators(string,(bytes,uint64,uint64,bool,bool)) view returns ((string,string,bool,uint8,uint256,uint256,(string,string,string,string,string),int64,int64,uint256,uint256)[],(bytes,uint64))',
  'function fundCommunityPool(address,(string,uint256)[]) returns (bool)',
  'function communityPool() view returns ((string,uint256,uint8)[])',
  'function delegationRewards(address,string) view returns ((string,uint256,uint8)[])',
  'function transfer(address,uint256) returns (bool)',
  'function transferFrom(address,address,uint256) returns (bool)',
  'function approve(address,uint256) returns (bool)',
  'function allowance(address,address) view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function hexToBech32(address,string) returns (string)',
  'function bech32ToHex(string) returns (address)',
  'function getSigningInfos((bytes,uint64,uint64,bool,bool)) view returns ((address,int64,int64,int64,bool,int64)[],(bytes,uint64))',
  'function getProposal(uint64) view returns ((uint64,string[],uint32,(string,string,string,string),uint64,uint64,(string,uint256)[],uint64,uint64,string,string,string,address))',
])

export type Answer = Pick<EvmResult, 'status' | 'logs' | 'gasUsed'> & {
  readonly output: Hex
  readonly detail: string
}

export type CallerChain = {
  readonly chain: TestChain
  readonly validator: string
  /** Sends a transaction from alice in a block of its own. */
  readonly send: (to: Hex | undefined, data: Hex, value?: bigint) => Promise<TxResult>
  /** Runs a call from alice on the latest state. */
  readonly call: (to: Hex, data: Hex, value?: bigint) => Answer
  readonly wei: (address: Hex) => bigint
}

const hexText = (bytes: Uint8Array): Hex => asHex(Buffer.from(bytes).toString('hex'))

/**
 * Profile local's genesis with an address that nothing stands behind, deposits for proposals, and IBC
 * transfers.
 */
function document(lock?: bigint): string {
  const seed = new TextEncoder().encode('seed')
  const made = JSON.parse(genesisDocument(profileSettings('local'), seed))
  made.app_state.evm.params.active_static_precompiles.push(at.vesting)
  made.app_state.transfer = { params: { send_enabled: true, receive_enabled: true } }
  made.app_state.gov = { params: { min_deposit: [{ denom: 'atest', amount: '1000' }] } }
  const { accounts } = made.app_state.auth
  for (const [index, { '@type': _type, ...account }] of accounts.entries()) {
    if (lock === undefined || account.address !== aliceText) continue
    accounts[index] = {
      '@type': '/cosmos.vesting.v1beta1.DelayedVestingAccount',
      base_vesting_account: {
        base_account: account,
        original_vesting: [{ denom: 'atest', amount: lock.toString() }],
        end_time: '4000000000',
      },
    }
  }
  return JSON.stringify(made)
}

const aliceText = 'cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq'

/** Starts a chain, deploys the contract and gives it coins. `lock` is what alice cannot spend until 2096. */
export async function startCaller(lock?: bigint): Promise<CallerChain> {
  const chain = startChain({ document: document(lock) })
  let nonce = 0
  const bytesOf = async (to: Hex | undefined, data: Hex, value = 0n): Promise<Uint8Array> => {
    const raw = await alice.signTransaction({
      type: 'eip1559',
      chainId: evmChainId,
      gas: 3_000_000n,
      nonce,
      data,
      value,
      maxFeePerGas: 2_000_000_000n,
      maxPriorityFeePerGas: 0n,
      ...(to === undefined ? {} : { to }),
    })
    nonce += 1
    return chain.ethereum.wrap(chain.state, chain.ethereum.decode(hexToBytes(raw)))
  }
  const send: CallerChain['send'] = async (to, data, value) => chain.one(await bytesOf(to, data, value))
  const template = chain.ethereum.decode(
    hexToBytes(
      await alice.signTransaction({
        type: 'legacy',
        gasPrice: 0n,
        gas: 5_000_000n,
        to: caller,
        nonce: 0,
      }),
    ),
  ).tx
  const call: CallerChain['call'] = (to, data, value = 0n) => {
    const result = chain.ethereum.call(chain.state, {
      context: chain.state.transient.header,
      gasCap: 50_000_000n,
      gasBudget: undefined,
      overrides: [],
      blockOverride: {},
      tx: { ...template, to: hexToBytes(to), data: hexToBytes(data), value },
    })
    const { status, logs, gasUsed, output, reason } = result
    return { status, logs, gasUsed, output: hexText(output), detail: reason?.detail ?? '' }
  }
  const bytecode = hexText(contract('Caller').init)
  await send(undefined, encodeDeployData({ abi, bytecode, args: [] }))
  await send(caller, '0x', fundsOfCaller)
  const page = ['0x', 0n, 0n, false, false] as const
  const asked = encodeFunctionData({ abi: methods, functionName: 'validators', args: ['', page] })
  const [found] = decodeFunctionResult({
    abi: methods,
    functionName: 'validators',
    data: call(at.staking, asked).output,
  })
  const operator = found[0]?.[0] ?? ''
  const spelled = encodeFunctionData({
    abi: methods,
    functionName: 'hexToBech32',
    args: [asHex(operator.slice(2)), 'cosmosvaloper'],
  })
  const validator = decodeFunctionResult({
    abi: methods,
    functionName: 'hexToBech32',
    data: call(at.bech32, spelled).output,
  })
  const wei = (address: Hex): bigint => chain.ethereum.account(chain.state, hexToBytes(address)).wei
  return { chain, validator, send, call, wei }
}

/** Returns the modules' view of the latest state. */
export function contextOf({ state }: Pick<TestChain, 'state'>): Context {
  const fixed = {
    engine: testEngine(),
    evmChainId: 0n,
    hasUnlimitedCode: false,
    usesEvmMempool: false,
    requiresLastFee: true,
    minTip: 0n,
    checksNothingFirst: false,
    coinbaseIsText: false,
    simulatesWithoutFee: false,
    addressTexts: cosmosTexts,
    dropsFailedDelegations: false,
    keepsFundedAccounts: false,
    coinbaseIsCold: false,
    tracesKeepNonce: false,
    overridesHidePrecompiles: false,
    panicsOnLegacyProposals: false,
    route: () => undefined,
  }
  return newContext({
    fixed,
    draft: createDraft(state),
    block: state.transient.header,
    mode: 'query',
  })
}

/** Returns every entry of the stores that modules of the precompiles write, for comparison. */
export function stateOf({ state }: Pick<TestChain, 'state'>, names: readonly string[]): readonly string[] {
  const draft = createDraft(state)
  return names.flatMap((name) =>
    [...draft.raw(name).iterate({})].map(
      ([key, value]) => `${name} ${Buffer.from(key).toString('hex')} ${Buffer.from(value).toString('hex')}`,
    ),
  )
}

/** Returns the error text of an Ethereum transaction; undefined when it went well. */
export function failureOf({ events }: TxResult): string | undefined {
  return attributeOf(events, 'ethereum_tx', 'ethereumTxFailed')
}

/** Returns an attribute of the first event of a type that has it. */
export function attributeOf(events: readonly AbciEvent[], type: string, name: string): string | undefined {
  return events
    .filter((event) => event.type === type)
    .flatMap(({ attributes }) => attributes)
    .find(({ key }) => key === name)?.value
}
