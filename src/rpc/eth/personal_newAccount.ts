import { sha256 } from '../../crypto/hash.ts'
import { ethAddressOfKey } from '../../crypto/keys.ts'
import { createRandom } from '../../data/random.ts'
import { assert } from '../../errors.ts'
import type { NodeKey } from '../../node/world.ts'
import { action, type Context } from '../method.ts'
import { keyring } from './keys.ts'
import { passwordParam } from './params.ts'
import { bytesResult } from './results.ts'

export const personal_newAccount = action({
  name: 'personal_newAccount',
  summary: 'Makes a key out of the seed and the number of keys, and returns its address.',
  spec: 'cosmos-evm-rpc.md §2.11',
  params: [passwordParam],
  result: bytesResult,
  traits: ['changesWorld'],
  examples: [{ params: [''], result: '…' }],
  command: (context) => ({ type: 'addKey', key: newKey(context) }),
  reply: ({ node }) => {
    const key = node.keys?.at(-1)
    assert(key !== undefined, 'a key was added')
    return key.address
  },
})

function newKey(context: Context): NodeKey {
  const index = keyring(context).length
  const privateKey = createRandom(
    context.node.chain.genesis.seed, sha256,
  ).bytes('newAccount', index, 32)
  return { name: `key_${index}`, address: ethAddressOfKey(privateKey), privateKey }
}
