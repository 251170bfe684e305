/** `cosmos.base.reflection.v2alpha1.ReflectionService`: describes the application's parts. */
import { namedCodec } from '../../codec/schema/codecs.ts'
import { implementations } from '../../codec/schema/files.ts'
import { listServices } from '../../codec/schema/lookup.ts'
import type { Context, Method } from '../method.ts'
import { grpcQuery } from './grpcMethod.ts'

const service = 'cosmos.base.reflection.v2alpha1.ReflectionService'

/** The node computes these responses before it registers the services that describe it. */
const describing = [service, 'grpc.reflection.v1alpha.ServerReflection']

type Describe = (context: Context) => object

const descriptors: readonly (readonly [method: string, member: string, describe: Describe])[] = [
  [
    'Authn',
    'authn',
    () => ({
      signModes: [
        { name: 'SIGN_MODE_DIRECT', number: 1 },
        { name: 'SIGN_MODE_DIRECT_AUX', number: 3 },
        { name: 'SIGN_MODE_LEGACY_AMINO_JSON', number: 127 },
        { name: 'SIGN_MODE_TEXTUAL', number: 2 },
      ],
    }),
  ],
  ['Chain', 'chain', ({ node: { chain } }) => ({ id: chain.genesis.chainId })],
  [
    'Codec',
    'codec',
    () => ({
      interfaces: Object.entries(implementations).map(([fullname, typeUrls]) => ({
        fullname,
        interfaceAcceptingMessages: [],
        interfaceImplementers: typeUrls.map((typeUrl) => ({ fullname: typeUrl.slice(1), typeUrl })),
      })),
    }),
  ],
  ['Configuration', 'config', ({ node }) => ({ bech32AccountAddressPrefix: node.settings.bech32Prefix })],
  [
    'QueryServices',
    'queries',
    () => ({
      queryServices: listServices()
        .filter(({ name }) => !describing.includes(name))
        .map((each) => ({
          fullname: each.name,
          methods: each.methods.map(({ name }) => ({ name, fullQueryPath: `/${each.name}/${name}` })),
        })),
    }),
  ],
  [
    'Tx',
    'tx',
    () => ({
      fullname: 'cosmos.tx.v1beta1.Tx',
      msgs: (implementations['cosmos.base.v1beta1.Msg'] ?? []).map((msgTypeUrl) => ({ msgTypeUrl })),
    }),
  ],
]

/** These methods read no state, so their responses have no height. */
export const chainReflection: readonly Method[] = descriptors.map(([what, member, describe]) => {
  const method = `Get${what}Descriptor`
  const response = namedCodec(`cosmos.base.reflection.v2alpha1.${method}Response`)
  return grpcQuery(`${service}/${method}`, (context) => response.encode({ [member]: describe(context) }))
})
