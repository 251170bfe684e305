/** What the options of go-ethereum's tracers may be; the node refuses others with the texts of Go. */
import { anyJson, array, bool, type Codec, defaulting, integer, mismatch, object } from '../codec/codec.ts'
import { type Json, parseJson } from '../codec/goJson.ts'

type Reader = Pick<Codec<unknown>, 'decode'>

function switches(name: string, ...options: readonly string[]): readonly [string, Reader] {
  const fields = Object.fromEntries(options.map((option) => [option, defaulting(bool, false)]))
  return [name, object<Record<string, boolean>>(fields, { goType: `native.${name}Config` })]
}

const erc7562 = object<{ withLog: boolean; stackTopItemsSize: bigint; ignoredOpcodes: readonly Json[] }>(
  {
    withLog: defaulting(bool, false),
    stackTopItemsSize: defaulting(integer('int'), 0n),
    ignoredOpcodes: defaulting(array(anyJson, '[]hexutil.Uint64'), []),
  },
  { goType: 'native.erc7562TracerConfig' },
)

const mux: Reader = {
  decode: (wire, path) => {
    if (wire.type !== 'object' && wire.type !== 'null') throw mismatch(wire, path, 'map[string]json.RawMessage')
  },
}

/** Tracers that are not here read no options. */
const readers: ReadonlyMap<string, Reader> = new Map([
  switches('callTracer', 'onlyTopCall', 'withLog'),
  switches('flatCallTracer', 'convertParityErrors', 'includePrecompiles'),
  switches('prestateTracer', 'diffMode', 'disableCode', 'disableStorage', 'includeEmpty'),
  ['erc7562Tracer', erc7562],
  ['muxTracer', mux],
])

/** Throws `DecodeError` if the node refuses the options of a tracer; `text` is JSON. */
export function checkTracerOptions(name: string, text: string): void {
  readers.get(name)?.decode(parseJson(text), '')
}
