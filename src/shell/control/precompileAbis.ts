/**
 * The ABIs of the node's precompiles by address (cosmos/evm precompiles). Precompiles have no code
 * by which they could be recognized.
 */
import { hexOf } from '../../codec/hex.ts'
import { readEvent, readSignature, type ContractShape } from './abiShapes.ts'

const coins = '(string,uint256)[]'
const decCoins = '(string,uint256,uint8)[]'
const dec = '(uint256,uint8)'
const pageIn = '(bytes,uint64,uint64,bool,bool) page'
const pageOut = '(bytes,uint64) page'
const description = '(string,string,string,string,string)'
const validator = `(string,string,bool,uint8,uint256,uint256,${description},int64,int64,uint256,uint256)`
const entry = '(int64,int64,uint256,uint256)'
const redelegation = `(string,string,string,${entry}[])`
const options = '(uint8,string)[]'
const vote = `(uint64,address,${options},string)`
const deposit = `(uint64,address,${coins})`
const tally = '(string,string,string,string)'
const proposal = `(uint64,string[],uint32,${tally},uint64,uint64,${coins},uint64,uint64,string,string,string,address)`
const govParams =
  `(int64,${coins},int64,string,string,string,string,string,string,int64,string,` + `${coins},bool,bool,bool,string)`
const signingInfo = '(address,int64,int64,int64,bool,int64)'
const trace = '(string,(string,string)[])'

type Declared = { readonly functions: readonly string[]; readonly events?: readonly string[] }

const bech32: Declared = {
  functions: [
    'hexToBech32(address account, string prefix) returns (string bech32)',
    'bech32ToHex(string bech32) returns (address account)',
  ],
}

const staking: Declared = {
  functions: [
    `createValidator(${description} description, (uint256,uint256,uint256) commission, uint256 minSelfDelegation, address validator, string consensusKey, uint256 amount) returns (bool success)`,
    `editValidator(${description} description, address validator, int256 commissionRate, int256 minSelfDelegation) returns (bool success)`,
    'delegate(address delegator, string validator, uint256 amount) returns (bool success)',
    'undelegate(address delegator, string validator, uint256 amount) returns (int64 completionTime)',
    'redelegate(address delegator, string source, string target, uint256 amount) returns (int64 completionTime)',
    'cancelUnbondingDelegation(address delegator, string validator, uint256 amount, uint256 creationHeight) returns (bool success)',
    'delegation(address delegator, string validator) view returns (uint256 shares, (string,uint256) balance)',
    `unbondingDelegation(address delegator, string validator) view returns ((string,string,(int64,int64,uint256,uint256,uint64,int64)[]) unbonding)`,
    `validator(address validator) view returns (${validator} validator)`,
    `validators(string status, ${pageIn}) view returns (${validator}[] validators, ${pageOut})`,
    `redelegation(address delegator, string source, string target) view returns (${redelegation} redelegation)`,
    `redelegations(address delegator, string source, string target, ${pageIn}) view returns ((${redelegation},(${entry},uint256)[])[] redelegations, ${pageOut})`,
  ],
  events: [
    'CreateValidator(address indexed validator, uint256 value)',
    'EditValidator(address indexed validator, int256 commissionRate, int256 minSelfDelegation)',
    'Delegate(address indexed delegator, address indexed validator, uint256 amount, uint256 newShares)',
    'Unbond(address indexed delegator, address indexed validator, uint256 amount, uint256 completionTime)',
    'Redelegate(address indexed delegator, address indexed source, address indexed target, uint256 amount, uint256 completionTime)',
    'CancelUnbondingDelegation(address indexed delegator, address indexed validator, uint256 amount, uint256 creationHeight)',
  ],
}

const distribution: Declared = {
  functions: [
    'claimRewards(address delegator, uint32 maxRetrieve) returns (bool success)',
    'setWithdrawAddress(address delegator, string withdrawer) returns (bool success)',
    `withdrawDelegatorRewards(address delegator, string validator) returns (${coins} amount)`,
    `withdrawValidatorCommission(string validator) returns (${coins} amount)`,
    `fundCommunityPool(address depositor, ${coins} amount) returns (bool success)`,
    `depositValidatorRewardsPool(address depositor, string validator, ${coins} amount) returns (bool success)`,
    `validatorDistributionInfo(string validator) view returns ((string,${decCoins},${decCoins}) info)`,
    `validatorOutstandingRewards(string validator) view returns (${decCoins} rewards)`,
    `validatorCommission(string validator) view returns (${decCoins} commission)`,
    `validatorSlashes(string validator, uint64 startHeight, uint64 endHeight, ${pageIn}) view returns ((uint64,${dec})[] slashes, ${pageOut})`,
    `delegationRewards(address delegator, string validator) view returns (${decCoins} rewards)`,
    `delegationTotalRewards(address delegator) view returns ((string,${decCoins})[] rewards, ${decCoins} total)`,
    'delegatorValidators(address delegator) view returns (string[] validators)',
    'delegatorWithdrawAddress(address delegator) view returns (string withdrawer)',
    `communityPool() view returns (${decCoins} coins)`,
  ],
  events: [
    'ClaimRewards(address indexed delegator, uint256 amount)',
    'SetWithdrawerAddress(address indexed caller, string withdrawer)',
    'WithdrawDelegatorReward(address indexed delegator, address indexed validator, uint256 amount)',
    'WithdrawValidatorCommission(string indexed validator, uint256 commission)',
    'FundCommunityPool(address indexed depositor, string denom, uint256 amount)',
    'DepositValidatorRewardsPool(address indexed depositor, address indexed validator, string denom, uint256 amount)',
  ],
}

const ics20: Declared = {
  functions: [
    'transfer(string port, string channel, string denom, uint256 amount, address sender, string receiver, (uint64,uint64) timeoutHeight, uint64 timeoutTimestamp, string memo) returns (uint64 sequence)',
    `denom(string hash) view returns (${trace} denom)`,
    `denoms(${pageIn}) view returns (${trace}[] denoms, ${pageOut})`,
    'denomHash(string trace) view returns (string hash)',
  ],
  events: [
    'IBCTransfer(address indexed sender, string indexed receiver, string port, string channel, string denom, uint256 amount, string memo)',
  ],
}

const bank: Declared = {
  functions: [
    'balances(address account) view returns ((address,uint256)[] balances)',
    'totalSupply() view returns ((address,uint256)[] totalSupply)',
    'supplyOf(address token) view returns (uint256 totalSupply)',
  ],
}

const gov: Declared = {
  functions: [
    `submitProposal(address proposer, bytes proposal, ${coins} deposit) returns (uint64 proposalId)`,
    `deposit(address depositor, uint64 proposalId, ${coins} amount) returns (bool success)`,
    'cancelProposal(address proposer, uint64 proposalId) returns (bool success)',
    'vote(address voter, uint64 proposalId, uint8 option, string metadata) returns (bool success)',
    `voteWeighted(address voter, uint64 proposalId, ${options} options, string metadata) returns (bool success)`,
    `getVote(uint64 proposalId, address voter) view returns (${vote} vote)`,
    `getVotes(uint64 proposalId, ${pageIn}) view returns (${vote}[] votes, ${pageOut})`,
    `getDeposit(uint64 proposalId, address depositor) view returns (${deposit} deposit)`,
    `getDeposits(uint64 proposalId, ${pageIn}) view returns (${deposit}[] deposits, ${pageOut})`,
    `getTallyResult(uint64 proposalId) view returns (${tally} tally)`,
    `getProposal(uint64 proposalId) view returns (${proposal} proposal)`,
    `getProposals(uint32 status, address voter, address depositor, ${pageIn}) view returns (${proposal}[] proposals, ${pageOut})`,
    `getParams() view returns (${govParams} params)`,
    'getConstitution() view returns (string constitution)',
  ],
  events: [
    'SubmitProposal(address indexed proposer, uint64 proposalId)',
    'Vote(address indexed voter, uint64 proposalId, uint8 option)',
    `VoteWeighted(address indexed voter, uint64 proposalId, ${options} options)`,
    `Deposit(address indexed depositor, uint64 proposalId, ${coins} amount)`,
    'CancelProposal(address indexed proposer, uint64 proposalId)',
  ],
}

const slashing: Declared = {
  functions: [
    'unjail(address validator) returns (bool success)',
    `getSigningInfo(address consensus) view returns (${signingInfo} info)`,
    `getSigningInfos(${pageIn}) view returns (${signingInfo}[] infos, ${pageOut})`,
    `getParams() view returns ((int64,${dec},int64,${dec},${dec}) params)`,
  ],
  events: ['ValidatorUnjailed(address indexed validator)'],
}

const shapeOf = (name: string, { functions, events = [] }: Declared): ContractShape => ({
  name,
  functions: functions.map(readSignature),
  events: events.map(readEvent),
  errors: [],
})

/** The precompiles by lower-case address. */
export const precompileAbis: ReadonlyMap<string, ContractShape> = new Map([
  ['0x0000000000000000000000000000000000000400', shapeOf('bech32 precompile', bech32)],
  ['0x0000000000000000000000000000000000000800', shapeOf('staking precompile', staking)],
  ['0x0000000000000000000000000000000000000801', shapeOf('distribution precompile', distribution)],
  ['0x0000000000000000000000000000000000000802', shapeOf('ics20 precompile', ics20)],
  ['0x0000000000000000000000000000000000000804', shapeOf('bank precompile', bank)],
  ['0x0000000000000000000000000000000000000805', shapeOf('gov precompile', gov)],
  ['0x0000000000000000000000000000000000000806', shapeOf('slashing precompile', slashing)],
])

/** The events of all precompiles. */
export const precompileEvents = [...precompileAbis.values()].flatMap(({ events }) => events)

/** Returns the ABI of the precompile at an address; undefined for any other address. */
export function precompileAt(address: Uint8Array | undefined): ContractShape | undefined {
  return address === undefined ? undefined : precompileAbis.get(hexOf(address))
}
