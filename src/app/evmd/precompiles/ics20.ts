/** Precompile 0x802: IBC transfers, on a chain without channels (cosmos/evm precompiles/ics20). */
import { hexOf } from '../../../codec/hex.ts'
import {
  type Denom,
  denomMessage,
  denomOfPath,
  denomsPlace,
  findDenom,
  hashOfKnownPath,
  readDenomHash,
} from '../modules/transfer/denoms.ts'
import { checkDenom, checkTransfer } from '../modules/transfer/check.ts'
import { refuse } from '../modules/transfer/refuse.ts'
import { withFreeStores } from '../context.ts'
import { invalidArgument, orInvalid } from '../query/status.ts'
import type { AbiValue } from './abi.ts'
import { bytesArgument, integerArgument, textArgument } from './arguments.ts'
import { pageIn, precompilePage, pageOut } from './pages.ts'
import { methodsOf, type MethodTable, reads, type Run, writes } from './precompile.ts'
import { Reverted } from './reverted.ts'
import { checkCaller } from './spelling.ts'

/** Rejects every transfer, because neither a channel nor a client exists. */
const transfer: Run = (frame, [port, channel, denomination, amount, from, receiver, _height, timeout, memo]) => {
  const sender = bytesArgument(from)
  const asked = {
    port: textArgument(port),
    channel: textArgument(channel),
    token: { denom: textArgument(denomination), amount: integerArgument(amount) },
    sender,
    receiver: textArgument(receiver),
    timeout: integerArgument(timeout),
    memo: textArgument(memo),
  }
  checkTransfer(asked)
  if (/^channel-\d{1,20}$/.test(asked.channel)) {
    throw new Reverted(`port ID (${asked.port}) channel ID (${asked.channel}): channel not found`)
  }
  checkCaller(frame, sender)
  // The node charges no store gas here, as for relayers' messages.
  refuse(withFreeStores(frame.context), asked)
  return []
}

function denomOut({ base, trace }: Denom): AbiValue {
  return [base, trace.map(({ port, channel }) => [port, channel])]
}

const denom: Run = ({ context }, [hash]) => {
  const read = readDenomHash(textArgument(hash))
  if (typeof read === 'string') {
    throw invalidArgument(`invalid denom trace hash: , error: ${read}`)
  }
  return [denomOut(findDenom(context, read) ?? { base: '', trace: [] })]
}

const denoms: Run = ({ context }, [page]) => {
  const { items, response } = precompilePage(context, denomsPlace, page, ([, value]) => denomMessage.decode(value))
  return [items.map(denomOut), response]
}

const denomHash: Run = ({ context }, [path]) => {
  orInvalid(() => checkDenom(denomOfPath(textArgument(path))))
  const hash = hashOfKnownPath(context, textArgument(path))
  return [hash === undefined ? '' : hexOf(hash).toUpperCase()]
}

/** The methods of the precompile. */
export const ics20Precompile: MethodTable = {
  kind: 'methods',
  isMetered: true,
  methods: methodsOf({
    'transfer(string,string,string,uint256,address,string,(uint64,uint64),uint64,string)': writes('uint64', transfer),
    'denom(string)': reads('(string,(string,string)[])', denom),
    [`denoms(${pageIn})`]: reads(`(string,(string,string)[])[],${pageOut}`, denoms),
    'denomHash(string)': reads('string', denomHash),
  }),
}
