/**
 * Every effect that a fault has on connections and their events, and what each client saw of it.
 */
import type { FaultDescription } from '../../src/index.ts'

export type SocketFault = {
  readonly effect: FaultDescription['effect']
  /** How connections end: with a word, without, or before they are open. */
  readonly ends?: 'closed' | 'broken' | 'refused'
  readonly viem: RegExp
  readonly ethers: RegExp
  readonly cosmjs: RegExp
  /** Of a page in a browser, on Ethereum JSON-RPC and on CometBFT RPC. */
  readonly page: readonly [RegExp, RegExp]
}

/** Blocks 2 to 4 are made while the fault is on, block 5 afterwards. */
const all = (heights: RegExp) =>
  ({ viem: heights, ethers: heights, cosmjs: heights, page: [heights, heights] }) as const

const cut = (ends: 'closed' | 'broken', ethers: RegExp, page: RegExp) =>
  // The WebSocket of Node 24 and later tells viem of an error first.
  ({ ends, viem: /^(?:SocketClosedError|error)$/, ethers, cosmjs: /^$/, page: [page, page] }) as const

const refused = (ethers: RegExp) =>
  ({
    ends: 'refused',
    viem: /^error$/,
    ethers,
    cosmjs: /^$/,
    page: [/^1006 broken $/, /^1006 broken $/],
  }) as const

const cancelled = (cosmjs: RegExp) => ({ viem: /^$/, ethers: /^$/, cosmjs, page: [/^$/, /^error -32000$/] }) as const

export const socketFaults: Readonly<Record<string, SocketFault>> = {
  'events that are lost': { effect: { ws: { drop: true } }, ...all(/^5$/) },
  // Where the machine is slow, block 5 may come after some of them.
  'events that are late': {
    effect: { ws: { delay: '30ms' } },
    ...all(/^(?=.*2.*3.*4)[2-5] [2-5] [2-5] [2-5]$/),
  },
  'events that are late by chance': {
    effect: { ws: { delay: { uniform: ['10ms', '30ms'] } } },
    ...all(/^[2-5] [2-5] [2-5] [2-5]$/),
  },
  'events that come twice': { effect: { ws: { duplicate: 2 } }, ...all(/^2 2 3 3 4 4 5$/) },
  'events in another order': {
    effect: { ws: { reorder: { window: 3 } } },
    ...all(/^(?!2 3 4)[2-4] [2-4] [2-4] 5$/),
  },
  'a silence that ends in all of it': { effect: { ws: { stall: true } }, ...all(/^2 3 4 5$/) },
  'a silence that is forgotten': {
    effect: { ws: { stall: { backlog: 'discard' } } },
    ...all(/^5$/),
  },
  'a close with its reason': {
    effect: { ws: { close: { code: 1012, reason: 'service restart' } } },
    ...cut('closed', /^closed 1012$/, /^1012 clean service restart$/),
  },
  'a connection that breaks': {
    effect: { ws: { close: { code: 1006 } } },
    ...cut('broken', /^closed 1006$/, /^1006 broken $/),
  },
  'a connection that breaks inside a frame': {
    effect: { ws: { close: { code: 1006, mid: 'frame' } } },
    ...cut('broken', /^closed 1006$/, /^1006 broken $/),
  },
  'a subscription that is cancelled': {
    effect: { ws: { cancelSubscription: true } },
    ...cancelled(/subscription was canceled \(reason: client is not pulling messages/),
  },
  'a subscription that is cancelled for a reason': {
    effect: { ws: { cancelSubscription: { reason: 'because' } } },
    ...cancelled(/subscription was canceled \(reason: because\)/),
  },
  'a handshake that is refused': {
    effect: { ws: { refuse: true } },
    ...refused(/^Unexpected server response: 503 closed 1006$/),
  },
  'a handshake that is refused with a status': {
    effect: { ws: { refuse: { status: 429 } } },
    ...refused(/^Unexpected server response: 429 closed 1006$/),
  },
  'a port that is closed': {
    effect: { refuse: true },
    ...refused(/^(connect|read) ECONN\w+( 127\S+)? closed 1006$/),
  },
}
