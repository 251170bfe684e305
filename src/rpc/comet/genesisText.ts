/**
 * The genesis document as the node writes it, regardless of the file's formatting. Also its pieces:
 * 16 MiB of its bytes each, as base64 (`comet-rpc.md` §1.8, §1.9).
 */
import { remembered } from '../../data/remembered.ts'
import type { Genesis } from '../../chain/chain.ts'
import { validatorAddress } from '../../chain/validators.ts'
import { base64Of } from '../../codec/base64.ts'
import { memberOf, textOrEmpty } from '../../codec/codec.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { parseJson, type Json } from '../../codec/goJson.ts'
import { escapeAsGo, writeJson, type Plain } from '../../codec/goJsonWrite.ts'
import { formatTime } from '../../codec/time.ts'
import { consensusParamsJson, publicKeyJson } from '../../feed/cometShapes.ts'

const chunkBytes = 16 * 1024 * 1024

export type GenesisText = { readonly text: string; readonly chunks: readonly string[] }

/** Returns the document and its pieces; they are built once. */
export const genesisText = remembered((genesis: Genesis): GenesisText => {
  const text = documentOf(genesis)
  const bytes = new TextEncoder().encode(text)
  const count = Math.ceil(bytes.length / chunkBytes)
  const chunks = Array.from({ length: count }, (_, index) =>
    base64Of(bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)),
  )
  return { text, chunks }
})

function documentOf(genesis: Genesis): string {
  const root = parseJson(genesis.document)
  const state = member(root, 'app_state')
  const head = writeJson({
    genesis_time: formatTime(genesis.time),
    chain_id: genesis.chainId,
    initial_height: genesis.initialHeight.toString(),
    consensus_params: consensusParamsJson(genesis.consensusParams),
    validators: genesis.validators.length === 0 ? undefined : validatorsJson(genesis, root),
    app_hash: textOrEmpty(member(root, 'app_hash')).toUpperCase(),
  })
  return state === undefined ? head : `${head.slice(0, -1)},"app_state":${compact(state)}}`
}

/** The chain does not keep validator names, so they are read from the document. */
function validatorsJson({ validators }: Genesis, root: Json): Plain {
  const given = member(root, 'validators') ?? member(member(root, 'consensus'), 'validators')
  const items = given?.type === 'array' ? given.items : []
  return validators.map(({ publicKey, power }, index) => ({
    address: upperHexOf(validatorAddress(publicKey)),
    pub_key: publicKeyJson(publicKey),
    power: power.toString(),
    name: textOrEmpty(member(items[index], 'name')),
  }))
}

function member(wire: Json | undefined, name: string): Json | undefined {
  return wire?.type === 'object' ? memberOf(wire, name) : undefined
}

/** The application state keeps its text; only whitespace is removed. */
function compact({ raw }: Json): string {
  return escapeAsGo(raw.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, text: string | undefined) => text ?? ''))
}
