/**
 * Precompile 0x802: transfers over IBC, on a chain without channels (cosmos/evm precompiles/ics20).
 */
import { textOf } from './arguments.ts'
import { pageIn, pageOf, pageOut } from './pages.ts'
import { methodsOf, type MethodTable, reads, type Run, writes } from './precompile.ts'
import { Reverted } from './reverted.ts'

/** There is no channel, so every transfer ends here. */
const transfer: Run = (_frame, [port, channel]) => {
  const name = textOf(channel)
  if (/^channel-\d{1,20}$/.test(name)) {
    const text = `port ID (${textOf(port)}) channel ID (${name})`
    throw new Reverted(`${text}: channel not found`)
  }
  throw new Reverted(`invalid channel ID (${name}) on v2 packet: invalid channel`)
}

/** The methods: of coins from other chains there are none. */
export const ics20Precompile: MethodTable = {
  kind: 'methods',
  isMetered: true,
  methods: methodsOf({
    'transfer(string,string,string,uint256,address,string,(uint64,uint64),uint64,string)':
      writes('uint64', transfer),
    'denom(string)': reads('(string,(string,string)[])', () => [['', []]]),
    [`denoms(${pageIn})`]: reads(`(string,(string,string)[])[],${pageOut}`, (_frame, [page]) => (
      [[], pageOf([], page).response]
    )),
    'denomHash(string)': reads('string', () => ['']),
  }),
}
