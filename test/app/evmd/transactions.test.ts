/** Transactions of both kinds, made by the clients that people use, on profile local's genesis. */
import { Secp256k1HdWallet } from '@cosmjs/amino'
import { stringToPath } from '@cosmjs/crypto'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { AminoTypes, createDefaultAminoConverters, GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import test from 'ava'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import {
  QueryBalanceRequest,
  QueryBalanceResponse,
  QueryTotalSupplyResponse,
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import fc from 'fast-check'
import {
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  hexToBytes,
  keccak256,
} from 'viem'
import { type LocalAccount, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { createDraft } from '../../../src/app/draft.ts'
import { preinstalls } from '../../../src/app/evmd/preinstalls.ts'
import { asHex, contract } from '../../helpers/solc.ts'
import { chainId, evmChainId, startChain, type TestChain } from '../../helpers/evmdChain.ts'

const mnemonic = 'test test test test test test test test test test test junk'
const alice = mnemonicToAccount(mnemonic)
const bob = mnemonicToAccount(mnemonic, { addressIndex: 1 })
const other = '0x00000000000000000000000000000000000a11ce'

type Signed = {
  to?: `0x${string}`
  nonce: number
  value?: bigint
  data?: `0x${string}`
  gas?: bigint
  tip?: bigint
  cap?: bigint
}

async function ethereumTx(chain: TestChain, tx: Signed, from: LocalAccount = alice): Promise<Uint8Array> {
  const raw = await from.signTransaction({
    type: 'eip1559',
    chainId: evmChainId,
    gas: tx.gas ?? 21_000n,
    nonce: tx.nonce,
    maxFeePerGas: tx.cap ?? 2_000_000_000n,
    maxPriorityFeePerGas: tx.tip ?? 0n,
    value: tx.value ?? 0n,
    ...(tx.to === undefined ? {} : { to: tx.to }),
    ...(tx.data === undefined ? {} : { data: tx.data }),
  })
  return chain.ethereum.wrap(chain.state, chain.ethereum.decode(hexToBytes(raw)))
}

function query(chain: TestChain, path: string, data: Uint8Array): Uint8Array {
  const { height } = chain.state
  const answer = chain.application.query(
    chain.state,
    { path, data, height: 0n, prove: false },
    { stateAt: () => chain.state, latestHeight: height, earliestHeight: 1n, chainId },
  )
  if (answer.code !== 0) throw new Error(answer.log)
  return answer.value ?? new Uint8Array(0)
}

const wei = (chain: TestChain, address: `0x${string}`): bigint =>
  chain.ethereum.account(chain.state, hexToBytes(address)).wei

test('a transfer moves value and charges the gas at the effective price', async (t) => {
  const chain = startChain()
  chain.block()
  const before = wei(chain, alice.address)
  const { code, gasUsed } = chain.one(await ethereumTx(chain, { to: other, nonce: 0, value: 5n, tip: 7n }))
  t.is(code, 0)
  t.is(gasUsed, 21_000n)
  t.is(wei(chain, other), 5n)
  t.is(wei(chain, alice.address), before - 5n - 21_000n * (chain.state.transient.baseFee + 7n))
})

test('a transaction that asks for the blob base fee pays and fails as a panic', async (t) => {
  const chain = startChain()
  const before = wei(chain, alice.address)
  const asks = await ethereumTx(chain, { nonce: 0, data: '0x4a', gas: 100_000n })
  const { code, codespace, log } = chain.one(asks)
  t.deepEqual([code, codespace], [111_222, 'undefined'])
  t.regex(log, /^recovered: runtime error: invalid memory address or nil pointer dereference\n/)
  t.true(wei(chain, alice.address) < before)
  t.is(chain.one(await ethereumTx(chain, { to: other, nonce: 1, value: 5n })).code, 0)
})

test('an ERC-20 is deployed and moves tokens', async (t) => {
  const chain = startChain()
  const { abi, init } = contract('Coin')
  const bytecode = asHex(Buffer.from(init).toString('hex'))
  const data = encodeDeployData({ abi, bytecode, args: ['ONE'] })
  const deployed = chain.one(await ethereumTx(chain, { nonce: 0, data, gas: 3_000_000n }))
  t.is(deployed.code, 0, deployed.log)
  const address = getContractAddress({ from: alice.address, nonce: 0n })
  t.true(chain.ethereum.code(chain.state, hexToBytes(address)).length > 100)
  const call = encodeFunctionData({ abi, functionName: 'transfer', args: [other, 12n] })
  const moved = chain.one(await ethereumTx(chain, { to: address, nonce: 1, data: call, gas: 100_000n }))
  t.is(
    moved.events.some(({ attributes }) => attributes.some(({ key }) => key === 'ethereumTxFailed')),
    false,
  )
  const result = chain.ethereum.call(chain.state, {
    context: chain.state.transient.header,
    gasCap: 50_000_000n,
    gasBudget: undefined,
    overrides: [],
    blockOverride: {},
    tx: {
      ...chain.ethereum.decode(
        hexToBytes(
          await alice.signTransaction({ type: 'legacy', gasPrice: 0n, gas: 1_000_000n, to: address, nonce: 0 }),
        ),
      ).tx,
      data: hexToBytes(encodeFunctionData({ abi, functionName: 'balanceOf', args: [other] })),
    },
  })
  t.is(
    decodeFunctionResult({ abi, functionName: 'balanceOf', data: asHex(Buffer.from(result.output).toString('hex')) }),
    12n,
  )
})

const cosmosPath = stringToPath("m/44'/118'/0'/0/0")

async function sendTx(
  chain: TestChain,
  kind: 'direct' | 'amino',
  memo = '',
): Promise<{
  tx: Uint8Array
  from: string
}> {
  const wallet =
    kind === 'direct'
      ? await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'cosmos', hdPaths: [cosmosPath] })
      : await Secp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'cosmos', hdPaths: [cosmosPath] })
  const from = (await wallet.getAccounts())[0]?.address ?? ''
  const client = await SigningStargateClient.offline(wallet, {
    aminoTypes: new AminoTypes(createDefaultAminoConverters()),
    gasPrice: GasPrice.fromString('1000000000atest'),
  })
  const answer = query(
    chain,
    '/cosmos.auth.v1beta1.Query/Account',
    QueryAccountRequest.encode({ address: from }).finish(),
  )
  t0(QueryAccountResponse.decode(answer).account?.typeUrl === '/cosmos.auth.v1beta1.BaseAccount')
  const message = {
    typeUrl: '/cosmos.bank.v1beta1.MsgSend',
    value: { fromAddress: from, toAddress: receiver, amount: [{ denom: 'atest', amount: '77' }] },
  }
  const fee = { amount: [{ denom: 'atest', amount: '300000000000000' }], gas: '300000' }
  const signed = await client.sign(from, [message], fee, memo, { accountNumber: 10n, sequence: 0, chainId })
  return { tx: TxRaw.encode(signed).finish(), from }
}

const receiver = 'cosmos1qyqszqgpqyqszqgpqyqszqgpqyqszqgpjnp7du'

function t0(condition: boolean): void {
  if (!condition) throw new Error('unexpected account type')
}

for (const kind of ['direct', 'amino'] as const) {
  test(`a MsgSend signed by cosmjs (${kind}) moves coins`, async (t) => {
    const chain = startChain()
    chain.block()
    const { tx } = await sendTx(chain, kind, 'note <&>')
    const result = chain.one(tx)
    t.is(result.code, 0, result.log)
    const data = QueryBalanceRequest.encode({ address: receiver, denom: 'atest' }).finish()
    const answer = query(chain, '/cosmos.bank.v1beta1.Query/Balance', data)
    t.is(QueryBalanceResponse.decode(answer).balance?.amount, '77')
    t.is(chain.one(tx).log, 'account sequence mismatch, expected 1, got 0: incorrect account sequence')
  })

  test(`a MsgSend (${kind}) with a bit flipped in its signature is refused`, async (t) => {
    const chain = startChain()
    chain.block()
    const { tx } = await sendTx(chain, kind)
    tx[tx.length - 1] = (tx[tx.length - 1] ?? 0) ^ 1
    const result = chain.one(tx)
    t.is(result.code, 4)
    t.regex(result.log, /^signature verification failed; please verify account number \(10\)/)
  })
}

test('supply stays the sum of all balances, whatever transactions do', async (t) => {
  const sends = fc.array(
    fc.record({
      fromBob: fc.boolean(),
      value: fc.bigInt({ min: 0n, max: 10n ** 23n }),
      gap: fc.integer({ min: 0, max: 1 }),
      gas: fc.bigInt({ min: 20_000n, max: 60_000n }),
      selfSend: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  )
  await fc.assert(
    fc.asyncProperty(sends, async (list) => {
      const chain = startChain()
      const nonces = { alice: 0, bob: 0 }
      const txs: Uint8Array[] = []
      for (const { fromBob, value, gap, gas, selfSend } of list) {
        const from = fromBob ? bob : alice
        const name = fromBob ? 'bob' : 'alice'
        txs.push(
          await ethereumTx(chain, { to: selfSend ? from.address : other, nonce: nonces[name] + gap, value, gas }, from),
        )
        nonces[name] += 1
      }
      chain.block(...txs)
      chain.block()
      const sums = new Map<string, bigint>()
      const range = { start: Uint8Array.of(2), end: Uint8Array.of(3) }
      for (const [key, value] of createDraft(chain.state).raw('bank').iterate(range)) {
        const denom = Buffer.from(key.subarray(2 + (key[1] ?? 0))).toString()
        sums.set(denom, (sums.get(denom) ?? 0n) + BigInt(Buffer.from(value).toString()))
      }
      const { supply } = QueryTotalSupplyResponse.decode(
        query(chain, '/cosmos.bank.v1beta1.Query/TotalSupply', new Uint8Array(0)),
      )
      t.deepEqual(new Map(supply.map(({ denom, amount }) => [denom, BigInt(amount)])), sums)
    }),
    { seed: 11, numRuns: 8 },
  )
})

test('with the mempool of the EVM a gapped nonce waits, and tips decide the order', async (t) => {
  const chain = startChain()
  chain.block()
  const stranger = privateKeyToAccount(`0x${'1'.repeat(64)}`)
  chain.one(await ethereumTx(chain, { to: stranger.address, nonce: 0, value: 10n ** 18n }))
  const gapped = await ethereumTx(chain, { to: other, nonce: 3 })
  const cheap = await ethereumTx(chain, { to: other, nonce: 1, tip: 1n })
  const dear = await ethereumTx(chain, { to: other, nonce: 0, tip: 9n }, stranger)
  const outcomes = [gapped, cheap, dear].map((tx) => {
    const outcome = chain.application.checkTx(chain.state, tx, 'new')
    chain.state = outcome.state
    return outcome
  })
  t.deepEqual(
    outcomes.map(({ result }) => result.code),
    [0, 0, 0],
  )
  t.deepEqual(
    outcomes.map(({ queued }) => queued),
    [true, false, false],
  )
  const candidates = outcomes.map(({ info }, at) => ({ tx: [gapped, cheap, dear][at] ?? new Uint8Array(0), info }))
  const chosen = chain.application.prepareProposal(chain.state, {
    candidates,
    maxTxBytes: 1_000_000n,
    maxGas: 30_000_000n,
  })
  t.deepEqual(chosen, [2, 1])
})

test('an edit is seen at once and folded into the next block', (t) => {
  const chain = startChain()
  chain.block()
  const address = hexToBytes(other)
  chain.state = chain.application.edit(chain.state, [
    { type: 'setBalance', address, amount: 9n },
    { type: 'setNonce', address, nonce: 4n },
  ]).state
  const seen = chain.ethereum.account(chain.state, address)
  t.deepEqual([seen.wei, seen.nonce], [9n, 4n])
  chain.block()
  t.is(chain.state.edits.root, undefined)
  t.is(chain.ethereum.account(chain.state, address).wei, 9n)
})

test('preinstalled contracts have the code hashes that they have everywhere', (t) => {
  const known = preinstalls.filter(({ name }) => name !== 'Multicall3')
  const hashes = known.map(({ code }) => keccak256(asHex(code.slice(2))))
  t.deepEqual(hashes, [
    '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989',
    '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989',
    '0x6e49e66782037c0555897870e29fa5e552daf4719552131a0abce779daec0a5d',
  ])
})

test('playing the same blocks twice gives the same app hash', async (t) => {
  const hashes = await Promise.all(
    [0, 1].map(async () => {
      const chain = startChain()
      chain.block(await ethereumTx(chain, { to: other, nonce: 0, value: 1n }))
      return Buffer.from(chain.block().appHash).toString('hex')
    }),
  )
  t.is(hashes[0], hashes[1])
})
