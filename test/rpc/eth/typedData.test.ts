import test from 'ava'
import { hashTypedData } from 'viem'
import { parseJson } from '../../../src/codec/goJson.ts'
import { hexOf } from '../../../src/codec/hex.ts'
import { typedData, typedDataDigest } from '../../../src/rpc/eth/typedData.ts'

const mail = {
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallets', type: 'address[]' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person[]' },
      {
        name: 'contents',
        type: 'string',
      },
      { name: 'flag', type: 'bool' },
      {
        name: 'tag',
        type: 'bytes4',
      },
      { name: 'blob', type: 'bytes' },
      { name: 'delta', type: 'int64' },
    ],
  },
  primaryType: 'Mail',
  message: {
    from: { name: 'Cow', wallets: ['0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'] },
    to: [{ name: 'Bob', wallets: [] }],
    contents: 'Hello, Bob!',
    flag: true,
    tag: '0xdeadbeef',
    blob: '0x0102',
    delta: '-5',
  },
} as const

test('typed data has the digest that viem computes', (t) => {
  const digest = typedDataDigest(typedData.decode(parseJson(JSON.stringify(mail)), ''))
  t.is(hexOf(digest), hashTypedData(mail as unknown as Parameters<typeof hashTypedData>[0]))
})

const refuses = test.macro((t, changed: object, message: string) => {
  const wire = parseJson(JSON.stringify({ ...mail, ...changed }))
  t.throws(() => typedDataDigest(typedData.decode(wire, '')), { message })
})

test(
  'a member of the wrong type is refused',
  refuses,
  { message: { ...mail.message, flag: 'yes' } },
  "provided data 'yes' doesn't match type 'bool'",
)
test(
  'a number too large is refused',
  refuses,
  { message: { ...mail.message, delta: '0x1ffffffffffffffff' } },
  "integer larger than 'int64'",
)
test('data without a domain is refused', refuses, { domain: {} }, 'domain is undefined')
