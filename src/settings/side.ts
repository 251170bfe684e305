/** The interfaces of a node: CometBFT RPC, Ethereum JSON-RPC, the Cosmos REST API and gRPC. */
export const sideNames = ['comet', 'eth', 'rest', 'grpc'] as const

export type Side = (typeof sideNames)[number]

/** The names of the interfaces in messages. */
export const sideTitles: Readonly<Record<Side, string>> = {
  comet: 'CometBFT RPC',
  eth: 'Ethereum JSON-RPC',
  rest: 'the REST API',
  grpc: 'gRPC',
}
