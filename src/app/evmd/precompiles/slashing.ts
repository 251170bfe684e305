/** Precompile 0x806: signing info and unjailing (cosmos/evm precompiles/slashing). */
import { type Addressing, consensusOf, consensusText } from '../address.ts'
import { unjail } from '../modules/slashing/messages.ts'
import {
  type SigningInfo,
  signingInfo,
  signingInfoMessage,
  signingInfosPlace,
  slashingParams,
} from '../modules/slashing/signingInfo.ts'
import { notFound } from '../query/status.ts'
import type { AbiValue } from './abi.ts'
import { bytesArgument } from './arguments.ts'
import { pageIn, precompilePage, pageOut } from './pages.ts'
import { eventOf, methodsOf, type MethodTable, reads, type Run, writes } from './precompile.ts'
import { Reverted } from './reverted.ts'
import { checkCaller } from './spelling.ts'

const emitUnjailed = eventOf('ValidatorUnjailed(address)')
const places = 18n
const second = 1_000_000_000n

const unjailValidator: Run = (frame, [validator]) => {
  const operator = bytesArgument(validator)
  checkCaller(frame, operator)
  unjail(frame.context, operator)
  emitUnjailed(frame, { indexed: [operator], data: [] })
  return [true]
}

const signingInfoOf: Run = ({ context }, [validator]) => {
  const address = bytesArgument(validator)
  const isZero = address.every((byte) => byte === 0)
  if (isZero) throw new Reverted('invalid consensus address')
  const info = signingInfo(context, address)
  if (info !== undefined) return [infoOf(context, info)]
  throw notFound(`SigningInfo not found for validator ${consensusText(context, address)}`)
}

const signingInfos: Run = ({ context }, [page]) => {
  const { items, response } = precompilePage(context, signingInfosPlace, page, ([, value]) =>
    signingInfoMessage.decode(value),
  )
  return [items.map((info) => infoOf(context, info)), response]
}

function infoOf(at: Addressing, info: SigningInfo): AbiValue {
  return [
    consensusOf(at, info.address),
    info.startHeight,
    info.indexOffset,
    info.jailedUntil.seconds,
    info.tombstoned,
    info.missedBlocks,
  ]
}

const params: Run = ({ context }) => {
  const known = slashingParams(context)
  return [
    [
      known.signedBlocksWindow,
      [known.minSignedPerWindow, places],
      known.downtimeJailDuration / second,
      [known.slashFractionDoubleSign, places],
      [known.slashFractionDowntime, places],
    ],
  ]
}

const info = '(address,int64,int64,int64,bool,int64)'
const decimal = '(uint256,uint8)'

/** The methods. A validator can unjail only itself. */
export const slashingPrecompile: MethodTable = {
  kind: 'methods',
  isMetered: true,
  methods: methodsOf({
    'unjail(address)': writes('bool', unjailValidator),
    'getSigningInfo(address)': reads(info, signingInfoOf),
    [`getSigningInfos(${pageIn})`]: reads(`${info}[],${pageOut}`, signingInfos),
    'getParams()': reads(`(int64,${decimal},int64,${decimal},${decimal})`, params),
  }),
}
