/** Precompile 0x805: proposals, deposits and votes (cosmos/evm precompiles/gov). */
import { readProposal } from './proposalJson.ts'
import { accountText } from '../address.ts'
import type { Coin } from '../coins.ts'
import { cancel, deposit, voteOnce, voteWeighted } from '../modules/gov/messages.ts'
import { submitProposal } from '../modules/gov/submit.ts'
import type { AbiValue } from './abi.ts'
import { bytesArgument, listArgument, integerArgument, textArgument } from './arguments.ts'
import { govQueries } from './govQueries.ts'
import { eventOf, methodsOf, type MethodTable, type Run, writes } from './precompile.ts'
import { Reverted } from './reverted.ts'
import { checkCaller, coinsOut, presentAddress, sortedCoins } from './spelling.ts'
import { checksumAddress } from '../../../crypto/checksumAddress.ts'

const emitSubmit = eventOf('SubmitProposal(address,uint64)')
const emitVote = eventOf('Vote(address,uint64,uint8)')
const emitWeighted = eventOf('VoteWeighted(address,uint64,(uint8,string)[])')
const emitDeposit = eventOf('Deposit(address,uint64,(string,uint256)[])')
const emitCancel = eventOf('CancelProposal(address,uint64)')

const submit: Run = (frame, [from, json, initial]) => {
  const proposer = proposerOf(from)
  const bytes = bytesArgument(json)
  if (bytes.length === 0) throw new Reverted('invalid proposal json jsonBlob arg ')
  const amount = depositOf(initial)
  const proposal = readProposal(bytes)
  checkCaller(frame, proposer)
  const id = submitProposal(frame.context, { ...proposal, deposit: amount, proposer })
  emitSubmit(frame, { indexed: [proposer], data: [id] })
  return [id]
}

function proposerOf(value: AbiValue | undefined): Uint8Array {
  const address = bytesArgument(value)
  const isZero = address.every((byte) => byte === 0)
  if (isZero) throw new Reverted(`invalid proposer ${checksumAddress(address)}`)
  return address
}

function depositOf(value: AbiValue | undefined): readonly Coin[] {
  return sortedCoins(value, () => 'invalid deposits deposit arg ')
}

const depositOn: Run = (frame, [from, number, value]) => {
  const depositor = presentAddress(from, 'depositor')
  const id = integerArgument(number)
  const amount = depositOf(value)
  checkCaller(frame, depositor)
  deposit(frame.context, { id, depositor: accountText(frame.context, depositor), amount })
  emitDeposit(frame, { indexed: [depositor], data: [id, coinsOut(amount)] })
  return [true]
}

const cancelOwn: Run = (frame, [from, number]) => {
  const proposer = proposerOf(from)
  const id = integerArgument(number)
  checkCaller(frame, proposer)
  cancel(frame.context, { id, proposer: accountText(frame.context, proposer) })
  emitCancel(frame, { indexed: [proposer], data: [id] })
  return [true]
}

const voteFor: Run = (frame, [from, number, choice, note]) => {
  const voter = presentAddress(from, 'voter')
  const id = integerArgument(number)
  const option = Number(integerArgument(choice))
  checkCaller(frame, voter)
  voteOnce(frame.context, { id, voter: accountText(frame.context, voter), option, metadata: textArgument(note) })
  emitVote(frame, { indexed: [voter], data: [id, integerArgument(choice)] })
  return [true]
}

const voteSplit: Run = (frame, [from, number, choices, note]) => {
  const voter = presentAddress(from, 'voter')
  const id = integerArgument(number)
  const options = listArgument(choices).map((each) => {
    const [option, weight] = listArgument(each)
    return { option: Number(integerArgument(option)), weight: textArgument(weight) }
  })
  checkCaller(frame, voter)
  voteWeighted(frame.context, {
    id,
    voter: accountText(frame.context, voter),
    options,
    metadata: textArgument(note),
  })
  emitWeighted(frame, { indexed: [voter], data: [id, listArgument(choices)] })
  return [true]
}

/** The methods. An account can act only for itself. */
export const govPrecompile: MethodTable = {
  kind: 'methods',
  isMetered: true,
  methods: methodsOf({
    'submitProposal(address,bytes,(string,uint256)[])': writes('uint64', submit),
    'deposit(address,uint64,(string,uint256)[])': writes('bool', depositOn),
    'cancelProposal(address,uint64)': writes('bool', cancelOwn),
    'vote(address,uint64,uint8,string)': writes('bool', voteFor),
    'voteWeighted(address,uint64,(uint8,string)[],string)': writes('bool', voteSplit),
    ...govQueries,
  }),
}
