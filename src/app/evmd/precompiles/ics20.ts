/** Precompile 0x802: IBC transfers, on a chain without channels (cosmos/evm precompiles/ics20). */
import { hexOf } from '../../../codec/hex.ts'
import {
  type Denom,
  denomMessage,
  denomsPlace,
  findDenom,
  hashOfKnownPath,
  readDenomHash,
} from '../modules/transfer/denoms.ts'
import { checkTransfer } from '../modules/transfer/check.ts'
import type { AbiValue } from './abi.ts'
import { numberOf, textArgument } from './arguments.ts'
import { pageIn, pageOf, pageOut } from './pages.ts'
import { methodsOf, type MethodTable, reads, type Run, writes } from './precompile.ts'
import { Reverted } from './reverted.ts'

/** Rejects every transfer, because no channel exists. */
const transfer: Run = (_frame, [port, channel, denomination, amount, _sender, receiver]) => {
  const name = textArgument(channel)
  const token = { denom: textArgument(denomination), amount: numberOf(amount) }
  checkTransfer({ port: textArgument(port), channel: name, token, receiver: textArgument(receiver) })
  if (/^channel-\d{1,20}$/.test(name)) {
    const text = `port ID (${textArgument(port)}) channel ID (${name})`
    throw new Reverted(`${text}: channel not found`)
  }
  throw new Reverted(`invalid channel ID (${name}) on v2 packet: invalid channel`)
}

function denomOut({ base, trace }: Denom): AbiValue {
  return [base, trace.map(({ port, channel }) => [port, channel])]
}

const denom: Run = ({ context }, [hash]) => {
  const read = readDenomHash(textArgument(hash))
  if (typeof read === 'string') {
    const text = `invalid denom trace hash: , error: ${read}`
    throw new Reverted(`rpc error: code = InvalidArgument desc = ${text}`)
  }
  return [denomOut(findDenom(context, read) ?? { base: '', trace: [] })]
}

const denoms: Run = ({ context }, [page]) => {
  const { items, response } = pageOf(context, denomsPlace, page, ([, value]) => denomMessage.decode(value))
  return [items.map(denomOut), response]
}

const denomHash: Run = ({ context }, [path]) => {
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
