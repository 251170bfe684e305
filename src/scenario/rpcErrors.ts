/** Errors of nodes and providers, by the names that scenarios use (`mocks.md` §3.3). */
export type RpcErrorFile = {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export const rpcErrors = {
  limitExceeded: { code: -32005, message: 'rate limit exceeded' },
  nonceTooLow: { code: -32000, message: 'nonce too low' },
  alreadyKnown: { code: -32000, message: 'already known' },
  underpriced: { code: -32000, message: 'replacement transaction underpriced' },
  notFound: { code: -32000, message: 'header not found' },
  pruned: { code: -32000, message: 'missing trie node: the state of this height was pruned' },
} as const satisfies Record<string, RpcErrorFile>
