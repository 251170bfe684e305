import anyTest, { type TestFn } from 'ava'
import { withChain, type ChainContext } from '../../../src/shell/testing/ava.ts'

const test = anyTest as TestFn<ChainContext>
withChain(test, { ports: 'none' })

for (const blocks of [1, 2, 3]) {
  test(`a test that makes ${blocks} blocks has a chain of its own`, async (t) => {
    t.is(t.context.chain.mine(blocks), blocks + 1)
    t.is(await t.context.chain.eth.request({ method: 'eth_blockNumber' }), `0x${blocks + 1}`)
  })
}
