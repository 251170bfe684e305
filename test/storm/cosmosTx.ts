/** Cosmos transactions of a storm: transfers that two accounts sign. */
import { toBech32 } from '@cosmjs/encoding'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { accountKeys } from '../../src/shell/world.ts'
import type { Instance } from '../../src/shell/ports.ts'
import { any, signTx, type Person } from '../helpers/messageChain.ts'
import { accounts } from './accounts.ts'
import { stormSettings } from './climate.ts'

const [first, second] = [4, 5]

/** They send nothing over Ethereum JSON-RPC, so that their sequences are not used up elsewhere. */
const people: readonly Person[] = accountKeys(stormSettings)
  .slice(first, second + 1)
  .map(({ privateKey, address }) => ({
    ...{ key: privateKey, publicKey: secp256k1.getPublicKey(privateKey, true), isEthereum: true },
    address: toBech32('cosmos', address),
    operator: toBech32('cosmosvaloper', address),
  }))

export type Transfer = { readonly from: number; readonly to: number; readonly value: number }

/** Returns a signed transfer, as the account of the sender stands now. */
export function signedTransfer(chain: Instance, { from, to, value }: Transfer): Uint8Array {
  const person = people[from % people.length]
  const receiver = accounts[to % accounts.length] ?? ''
  if (person === undefined) throw new Error('there are two who sign')
  const message = any(MsgSend, {
    fromAddress: person.address,
    toAddress: toBech32('cosmos', Buffer.from(receiver.slice(2), 'hex')),
    amount: [{ denom: 'atest', amount: String(value + 1) }],
  })
  return signTx(person, [message], { gas: 200_000n, ...accountOf(chain, person.address) })
}

function accountOf(chain: Instance, address: string): { readonly number: bigint; readonly sequence: bigint } {
  const data = Buffer.from(QueryAccountRequest.encode({ address }).finish()).toString('hex')
  const found = chain.peek('comet', 'abci_query', { path: '/cosmos.auth.v1beta1.Query/Account', data })
  if ('error' in found) throw new Error(`the account of ${address}: ${found.error.message}`)
  const { response } = found.result as { readonly response: { readonly value: string | null } }
  const { account } = QueryAccountResponse.decode(Buffer.from(response.value ?? '', 'base64'))
  const { accountNumber: number, sequence } = BaseAccount.decode(account?.value ?? new Uint8Array())
  return { number, sequence }
}
