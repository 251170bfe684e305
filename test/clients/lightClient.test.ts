import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import { sha256 } from '@noble/hashes/sha2.js'
import { fromBech32 } from '@cosmjs/encoding'
import test from 'ava'
import { startLocal } from '../helpers/server.ts'
import {
  commitHash,
  complaintsOf,
  isProven,
  merkleRoot,
  provenRoot,
  signedPower,
  totalPower,
  type Signed,
  type WireHeader,
  type WireOp,
  type WireProof,
  type WireValidator,
} from '../helpers/wireLightClient.ts'

const phrase = 'test test test test test test test test test test test junk'
const token = `1${'0'.repeat(18)}`

type Ask = <Result>(method: string, params?: object) => Promise<Result>

function asker(url: string): Ask {
  return async <Result>(method: string, params: object = {}) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = (await (await fetch(url, { method: 'POST', body })).json()) as {
      result?: Result
      error?: unknown
    }
    if (answer.result === undefined) throw new Error(JSON.stringify(answer.error))
    return answer.result
  }
}

async function signedAt(ask: Ask, height: number): Promise<Signed> {
  const { signed_header: signed } = await ask<{ signed_header: Pick<Signed, 'header' | 'commit'> }>('commit', {
    height: String(height),
  })
  const { validators } = await ask<{ validators: WireValidator[] }>('validators', {
    height: String(height),
    per_page: '100',
  })
  return { ...signed, validators }
}

/** More than two hundred blocks in which delegations change powers and validators fall silent. */
async function grow(ask: Ask, url: string): Promise<void> {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(phrase)
  const [account] = await wallet.getAccounts()
  const sender = account?.address ?? ''
  const client = await SigningStargateClient.connectWithSigner(url, wallet, {
    gasPrice: GasPrice.fromString('2000000000atest'),
    broadcastPollIntervalMs: 5,
  })
  const fee = { amount: [{ denom: 'atest', amount: '2000000000000000' }], gas: '1000000' }
  const { validators } = await ask<{ validators: WireValidator[] }>('validators')
  const operators = await operatorsOf(ask)
  for (let round = 0; round < 22; round++) {
    const operator = operators[round % operators.length] ?? ''
    const amount = { denom: 'atest', amount: String(BigInt(token) * BigInt(1 + round * 7)) }
    const { code, rawLog } = await client.delegateTokens(sender, operator, amount, fee)
    if (code !== 0) throw new Error(rawLog)
    const silent = {
      private_key_address: validators[round % validators.length]?.address,
      status: round % 3 === 0 ? 'down' : 'up',
    }
    await ask('set_signing_status', silent)
    await ask('advance_blocks', { num_blocks: '9' })
    await ask('set_signing_status', { ...silent, status: 'up' })
  }
  client.disconnect()
}

/** The operators of the genesis, out of its transactions. */
async function operatorsOf(ask: Ask): Promise<string[]> {
  const { genesis } = await ask<{ genesis: { app_state: unknown } }>('genesis')
  const found = new Set(JSON.stringify(genesis.app_state).match(/cosmosvaloper1[0-9a-z]{38}/g))
  return [...found]
}

test('a light client follows 200 blocks with changing validators, and every proof leads to them', async (t) => {
  await using server = await startLocal({ validators: 4, ethApi: ['eth', 'dev'] })
  const ask = asker(server.urls.comet)
  await grow(ask, server.urls.comet)
  const {
    sync_info: { latest_block_height: latest },
  } = await ask<{
    sync_info: { latest_block_height: string }
  }>('status')
  const last = Number(latest) - 1
  t.true(last >= 200)
  const blocks: Signed[] = []
  const complaints: string[] = []
  for (let height = 1; height <= last; height++) {
    const block = await signedAt(ask, height)
    complaints.push(...complaintsOf(block, blocks.at(-1)))
    blocks.push(block)
  }
  t.deepEqual(complaints, [])
  t.true(new Set(blocks.map(({ header }) => header.validators_hash)).size > 15)
  t.true(blocks.some(({ commit }) => commit.signatures.some((one) => one.block_id_flag === 1)))
  t.true(blocks.some(({ commit }) => commit.round > 0))
  const [first, end] = [blocks[0], blocks.at(-1)]
  if (first === undefined || end === undefined) return t.fail()
  t.true(
    signedPower(end, first.validators) * 3n > totalPower(first.validators),
    'the first set vouches for the last header',
  )
  const silenced = {
    ...end.commit,
    signatures: end.commit.signatures.map((one) => ({ ...one, timestamp: first.header.time })),
  }
  t.deepEqual(complaintsOf({ ...end, commit: silenced }, blocks.at(-2)), [`signatures at ${last}`])
  const moved = { ...end.header, app_hash: first.header.app_hash }
  t.deepEqual(complaintsOf({ ...end, header: moved }, blocks.at(-2)), [`header hash at ${last}`])
  await checkTxs(t, ask, blocks)
  await checkStores(t, ask, blocks)
})

type Assert = {
  true: (holds: boolean, text?: string) => unknown
  is: (a: unknown, b: unknown) => unknown
}

async function checkTxs(t: Assert, ask: Ask, blocks: Signed[]): Promise<void> {
  const { txs } = await ask<{
    txs: {
      height: string
      tx: string
      hash: string
      proof: { root_hash: string; data: string; proof: WireProof }
    }[]
  }>('tx_search', { query: 'tx.height>0', prove: true, per_page: '100' })
  t.true(txs.length >= 22)
  for (const { height, tx, hash, proof } of txs) {
    const bytes = Buffer.from(tx, 'base64')
    t.is(Buffer.from(sha256(bytes)).toString('hex').toUpperCase(), hash)
    t.is(proof.data, tx)
    t.is(Buffer.from(merkleRoot([sha256(bytes)])).toString('base64'), proof.proof.leaf_hash)
    const root = Buffer.from(provenRoot(proof.proof)).toString('hex').toUpperCase()
    t.is(root, blocks[Number(height) - 1]?.header.data_hash)
  }
  const { block } = await ask<{
    block: { header: WireHeader; last_commit: Signed['commit'] }
  }>('block', { height: '100' })
  t.is(commitHash(block.last_commit), block.header.last_commit_hash)
}

async function checkStores(t: Assert, ask: Ask, blocks: Signed[]): Promise<void> {
  const owner = fromBech32((await operatorsOf(ask))[0] ?? '').data
  const balance = Uint8Array.from([2, owner.length, ...owner, ...new TextEncoder().encode('atest')])
  const params = Uint8Array.of(0x51)
  const asked = [
    ['bank', balance],
    ['bank', Uint8Array.of(2, 20, 1)],
    ['staking', params],
    ['acc', Uint8Array.of(9)],
    ['evm', Uint8Array.of(255)],
  ] as const
  let present = 0
  for (const height of [2, 100, blocks.length - 1]) {
    for (const [store, key] of asked) {
      const { response } = await ask<{
        response: { value: string | null; proofOps: { ops: WireOp[] } }
      }>('abci_query', {
        path: `/store/${store}/key`,
        data: Buffer.from(key).toString('hex'),
        height: String(height),
        prove: true,
      })
      const value = response.value === null ? undefined : new Uint8Array(Buffer.from(response.value, 'base64'))
      if (value !== undefined) present++
      const { app_hash: appHash } = blocks[height]?.header ?? { app_hash: '' }
      t.true(
        isProven(response.proofOps.ops, store, { key, value }, appHash),
        `${store} ${Buffer.from(key).toString('hex')} at ${height}`,
      )
      const forged = value === undefined ? { key, value: Uint8Array.of(1) } : { key, value: undefined }
      t.true(!isProven(response.proofOps.ops, store, forged, appHash), 'a forged claim is refused')
    }
  }
  t.true(present >= 6)
}
