/**
 * The node's identity: its p2p key and the validator it signs as, both drawn from the genesis seed.
 */
import type { NodeIdentity } from '../../app/application.ts'
import type { Validator } from '../../chain/block.ts'
import type { Chain, Genesis } from '../../chain/chain.ts'
import { latestBlock } from '../../chain/view.ts'
import { upperHexOf } from '../../codec/comet.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { plainHexOf } from '../../codec/hex.ts'
import { ed25519Address } from '../../crypto/ed25519.ts'
import { keyPairFromSeed } from '../../crypto/keys.ts'
import { publicKeyJson } from '../../feed/cometShapes.ts'
import type { World } from '../../node/world.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Context } from '../method.ts'

type Identity = { readonly id: string; readonly validator: Validator | undefined }

const identities = new WeakMap<Genesis, Identity>()

/**
 * Returns the node's id in lower-case hex and its validator, for a chain before its first block.
 */
function identityOf(world: World, { genesis, validators: { validators } }: Chain): Identity {
  const known = identities.get(genesis)
  if (known !== undefined) return known
  const { publicKey } = keyPairFromSeed(genesis.seed, 'node', 0)
  const own = validators.find(({ address }) => world.signers.sign(address, new Uint8Array(0)) !== undefined)
  const identity = {
    id: plainHexOf(ed25519Address(publicKey)),
    validator: own ?? validators[0],
  }
  identities.set(genesis, identity)
  return identity
}

type IdentitySource = Pick<Context, 'world' | 'node'>

/** Returns the validator that the node signs as, with its power at genesis. */
export function ownValidator({ world, node: { origin } }: IdentitySource): Validator | undefined {
  return identityOf(world, origin).validator
}

/** Returns the identity that the node reports to its peers. */
export function nodeIdentity({ world, node: { origin, settings } }: IdentitySource): NodeIdentity {
  return {
    id: identityOf(world, origin).id,
    listenAddress: settings.p2pExternalAddress || settings.p2pLaddr,
    version: settings.cometVersion,
    channels: channels(settings),
    moniker: settings.moniker,
    txIndex: settings.indexer === 'null' ? 'off' : 'on',
    rpcAddress: settings.rpcLaddr,
  }
}

/** Returns `node_info` (`comet-rpc.md` §1.3). */
export function nodeInfoJson(context: IdentitySource): PlainObject {
  const { chain } = context.node
  const version = latestBlock(chain)?.block.header.version ?? { app: chain.appVersion }
  const { id, listenAddress, version: release, ...rest } = nodeIdentity(context)
  return {
    protocol_version: { p2p: '8', block: '11', app: version.app.toString() },
    id,
    listen_addr: listenAddress,
    network: chain.genesis.chainId,
    version: release,
    channels: rest.channels,
    moniker: rest.moniker,
    other: { tx_index: rest.txIndex, rpc_address: rest.rpcAddress },
  }
}

function channels({ p2pPex }: Settings): string {
  return `402021222330386061${p2pPex ? '00' : ''}`
}

/**
 * Returns `validator_info`. The power is that of the next height, or 0 if not in the validator set.
 */
export function validatorInfoJson(context: Context): PlainObject {
  const {
    node: { chain },
  } = context
  const validator = ownValidator(context)
  const address = validator === undefined ? '' : upperHexOf(validator.address)
  const current = chain.validators.validators.find((one) => upperHexOf(one.address) === address)
  return {
    address,
    pub_key: validator === undefined ? null : publicKeyJson(validator.publicKey),
    voting_power: (current?.power ?? 0n).toString(),
  }
}
