import type { ProofOp, QueryResult } from '../../app/abci.ts'
import { base64Of } from '../../codec/base64.ts'
import { int64, string, upperHex } from '../../codec/comet.ts'
import type { Plain, PlainObject } from '../../codec/goJsonWrite.ts'
import { query } from '../method.ts'
import { queryContext } from './chainServices.ts'
import { isAllIndexed } from './indexed.ts'
import { cometParam, proveParam } from './params.ts'
import { named, objectOf } from './results.ts'

export const abci_query = query({
  name: 'abci_query',
  summary: 'Queries the application at a height (0 is the latest), optionally with a proof against an app hash.',
  spec: 'comet-rpc.md §1.26',
  params: [
    cometParam('path', string),
    cometParam('data', upperHex, { bytes: 'digits' }),
    cometParam('height', int64, { role: 'block', unset: '0' }),
    proveParam,
  ],
  result: objectOf({ response: named('ResponseQuery') }),
  traits: ['namesStateHeight'],
  examples: [{ params: ['/nope', '', '0', false], result: { response: '…' } }],
  // Some services look into the index, which may lag behind the chain.
  isKept: (_, node) => isAllIndexed(node),
  read: (context, [path, data, height, prove]) => {
    const {
      world,
      node: { chain },
    } = context
    const asked = { path, data, height, prove }
    return { response: responseJson(world.app.query(chain.app, asked, queryContext(context))) }
  },
})

function responseJson(result: QueryResult): PlainObject {
  return {
    code: result.code,
    log: result.log,
    info: result.info,
    index: result.index.toString(),
    key: bytesJson(result.key),
    value: bytesJson(result.value),
    proofOps: result.proofOps === undefined ? null : { ops: result.proofOps.map(proofOpJson) },
    height: result.height.toString(),
    codespace: result.codespace,
  }
}

function bytesJson(bytes: Uint8Array | undefined): Plain {
  return bytes === undefined ? null : base64Of(bytes)
}

function proofOpJson({ type, key, data }: ProofOp): PlainObject {
  return { type, key: base64Of(key), data: base64Of(data) }
}
