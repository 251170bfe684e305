import { parseEther } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { expect, test as base } from 'vitest'
import { chainFixtures, type ChainContext } from 'chainstage/vitest'
import { balanceOf, pay } from '../src/payments.js'

const test = base.extend<ChainContext>(chainFixtures({ scenario: 'chainstage.json5' }))

const words = 'test test test test test test test test test test test junk'
const alice = mnemonicToAccount(words, { addressIndex: 0 })
const bob = mnemonicToAccount(words, { addressIndex: 1 })

test('a payment arrives', async ({ chain }) => {
  await pay(chain.urls.eth, alice, bob.address, parseEther('1'))
  expect(await balanceOf(chain.urls.eth, bob.address)).toBe(parseEther('10001'))
})

test('a payment is made once although its response is lost', async ({ chain }) => {
  await chain.fault('lost-response')
  await pay(chain.urls.eth, alice, bob.address, parseEther('1'))
  expect(await balanceOf(chain.urls.eth, bob.address)).toBe(parseEther('10001'))
})

test('a balance is read although the node limits requests', async ({ chain }) => {
  await chain.fault('rate-limited')
  expect(await balanceOf(chain.urls.eth, alice.address)).toBe(parseEther('10000'))
  expect(chain.journal().masked).toHaveLength(1)
})
