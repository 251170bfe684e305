/**
 * Ethereum transactions to addresses that take no coins, failed ones that delegate, and contracts that end at once. How
 * they are shown: `uncommitted.test.ts`.
 */
import { cosmosAddressing } from '../../helpers/addressing.ts'
import test from 'ava'
import { getContractAddress, hexToBytes, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { accountText, feeCollector, govModule } from '../../../src/app/evmd/address.ts'
import { sha256 } from '../../../src/crypto/hash.ts'
import { concatBytes } from '../../../src/data/bytes.ts'
import { evmChainId, startChain, type TestChain } from '../../helpers/evmdChain.ts'
import { alice, at } from '../../helpers/precompiles.ts'

const fees = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 0n } as const
const hex = (address: Uint8Array): Hex => `0x${Buffer.from(address).toString('hex')}`
const low = (digits: string): Hex => `0x${digits.padStart(40, '0')}`

function wrapped(chain: TestChain, raw: Hex): Uint8Array {
  return chain.ethereum.wrap(chain.state, chain.ethereum.decode(hexToBytes(raw)))
}

/** The point at infinity: of a commitment to the polynomial 0 and of its proofs. */
const infinity = Uint8Array.of(0xc0, ...new Uint8Array(47))
/** Says that the polynomial 0 is 0 at 0. */
const pointOfZero = concatBytes([Uint8Array.of(1), sha256(infinity).slice(1), new Uint8Array(64), infinity, infinity])

/** Where value goes, and data that the precompile there accepts. */
const blocked: Readonly<Record<string, readonly [to: Hex, data?: Uint8Array]>> = {
  'the fee collector': [hex(feeCollector)],
  'the account of x/gov': [hex(govModule)],
  '0x…01': [low('1')],
  '0x…04': [low('4')],
  '0x…0a, which evaluates KZG commitments': [low('a'), pointOfZero],
  '0x…0b, the first precompile of BLS12-381': [low('b'), new Uint8Array(256)],
  '0x…11, the last precompile of Prague': [low('11'), new Uint8Array(128)],
  '0x…0100': [low('100')],
}

for (const [name, [to, data]] of Object.entries(blocked)) {
  test(`value sent to ${name} fails the transaction, which pays its whole limit`, async (t) => {
    const chain = startChain()
    chain.block()
    const before = chain.ethereum.account(chain.state, hexToBytes(to)).wei
    const raw = await alice.signTransaction({
      type: 'eip1559',
      chainId: evmChainId,
      gas: 100_000n,
      nonce: 0,
      to,
      value: 5n,
      ...(data === undefined ? {} : { data: hex(data) }),
      ...fees,
    })
    const { code, codespace, log, gasUsed, data: answer, events } = chain.one(wrapped(chain, raw))
    t.is(`${codespace} ${code}`, 'sdk 4')
    t.is(
      log,
      'failed to execute message; message index: 0: failed to apply transaction: ' +
        'failed to apply ethereum core message: failed to commit stateDB: failed to set account: ' +
        `${accountText(cosmosAddressing, hexToBytes(to))} is not allowed to receive funds: unauthorized`,
    )
    t.is(gasUsed, 100_000n)
    t.is(answer, undefined)
    // As on the node, the events of the ante chain stay, and they end with the transaction's hash.
    t.is(events.at(-1)?.type, 'ethereum_tx')
    t.deepEqual(
      events.at(-1)?.attributes.map(({ key }) => key),
      ['ethereumTxHash', 'txIndex'],
    )
    t.is(events.filter(({ type }) => type === 'ethereum_tx').length, 1)
    const after = chain.ethereum.account(chain.state, hexToBytes(to)).wei
    t.true(name === 'the fee collector' || after === before)
    t.is(chain.ethereum.account(chain.state, hexToBytes(alice.address)).nonce, 1n)
  })
}

const delegation = test.macro(async (t, quirks: readonly string[], keeps: boolean) => {
  const chain = startChain({ settings: { quirks } })
  const authority = privateKeyToAccount(generatePrivateKey())
  const signed = await authority.signAuthorization({
    chainId: evmChainId,
    contractAddress: low('aa'),
    nonce: 0,
  })
  const raw = await alice.signTransaction({
    type: 'eip7702',
    chainId: evmChainId,
    gas: 200_000n,
    nonce: 0,
    to: at.distribution,
    data: '0x12345678',
    authorizationList: [signed],
    ...fees,
  })
  const { code, events } = chain.one(wrapped(chain, raw))
  t.is(code, 0)
  t.true(events.some(({ attributes }) => attributes.some(({ key }) => key === 'ethereumTxFailed')))
  const { nonce, codeHash } = chain.ethereum.account(chain.state, hexToBytes(authority.address))
  t.is(nonce, keeps ? 1n : 0n)
  t.is(hex(codeHash ?? new Uint8Array(0)) !== emptyCode && codeHash !== undefined, keeps)
})
const emptyCode = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

test('a failed EIP-7702 transaction keeps its delegations, as on Ethereum', delegation, ['sane'], true)
test(
  'a failed EIP-7702 transaction loses its delegations under a quirk',
  delegation,
  ['failed-delegations-dropped'],
  false,
)

const ending = test.macro(async (t, quirks: readonly string[], log: string) => {
  const chain = startChain({ settings: { quirks } })
  // The constructor of the contract that alice's second transaction creates: SELFDESTRUCT to 0x…a1.
  const address = getContractAddress({ from: alice.address, nonce: 1n })
  const send = async (tx: { readonly to?: Hex; readonly data?: Hex; readonly value?: bigint }, nonce: number) =>
    chain.one(
      wrapped(
        chain,
        await alice.signTransaction({ type: 'eip1559', chainId: evmChainId, gas: 200_000n, nonce, ...tx, ...fees }),
      ),
    )
  t.is((await send({ to: address, value: 5n }, 0)).code, 0)
  const got = await send({ data: '0x60a1ff' }, 1)
  t.is(`${got.codespace} ${got.code} ${got.log}`, log === '' ? ' 0 ' : `undefined 1 ${log}${address}: ${onlyContracts}`)
  t.is(chain.ethereum.account(chain.state, hexToBytes(address)).wei, log === '' ? 0n : 5n)
})

const onlyContracts = 'only smart contracts can be self-destructed'

test('a constructor of a funded contract may end it', ending, [], '')
test(
  'on the node, it fails the transaction',
  ending,
  ['funded-constructor-cannot-end'],
  'failed to execute message; message index: 0: failed to apply transaction: failed to apply ethereum core message: ' +
    'failed to commit stateDB: failed to delete account ',
)
