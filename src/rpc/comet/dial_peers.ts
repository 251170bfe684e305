import { bool, list, string } from '../../codec/comet.ts'
import { query } from '../method.ts'
import { failed } from './errors.ts'
import { cometParam } from './params.ts'
import { checkAddresses, checkIds } from './peerAddress.ts'
import { objectOf, textSchema } from './results.ts'

export const dial_peers = query({
  name: 'dial_peers',
  summary: 'Validates the addresses of peers without dialing them.',
  spec: 'comet-rpc.md §1.29',
  params: [
    cometParam('peers', list(string)),
    cometParam('persistent', bool),
    cometParam('unconditional', bool),
    cometParam('private', bool),
  ],
  result: objectOf({ log: textSchema }),
  traits: ['unsafe'],
  examples: [
    {
      params: [['2e1ca93285d58942ba2e22fd893ccac7c924c3a1@127.0.0.1:1'], false, false, false],
      result: { log: 'Dialing peers in progress. See /net_info for details' },
    },
  ],
  read: (_context, [peers, isPersistent, isUnconditional, isPrivate]) => {
    if (peers.length === 0) throw failed('no peers provided')
    const ids = idsOf(peers)
    if (isPersistent) checkAddresses(peers)
    if (isPrivate || isUnconditional) checkIds(ids)
    checkAddresses(peers)
    return { log: 'Dialing peers in progress. See /net_info for details' }
  },
})

function idsOf(peers: readonly string[]): readonly string[] {
  return peers.map((peer) => {
    const parts = peer.split('@')
    if (parts.length !== 2) throw failed(`address (${peer}) does not contain ID`)
    return parts[0] ?? ''
  })
}
