import type { test as playwright } from '@playwright/test'
import test from 'ava'
import { chainFixtures, type ChainContext } from '../../../src/shell/testing/fixtures.ts'

test('one server serves a session to every test, and both end', async (t) => {
  const {
    chainServer: [serve, { scope }],
    chain,
  } = chainFixtures()
  t.is(scope, 'worker')
  const urls: string[] = []
  await serve({}, async (server) => {
    for (const height of [2, 3]) {
      await chain({ chainServer: server }, async (session) => {
        session.mine(height - 1)
        t.is(await session.eth.request({ method: 'eth_blockNumber' }), `0x${height}`)
        urls.push(session.urls.comet)
        t.is((await fetch(`${session.urls.comet}/health`)).status, 200)
      })
    }
    t.is(server.simulation().node.chain.height, 1n)
  })
  t.not(urls[0], urls[1])
  await t.throwsAsync(fetch(`${urls[0] ?? ''}/health`))
})

/** Compiles only with fixtures that fit Playwright's types; the long tests check Vitest's. */
function declare(base: typeof playwright, heights: number[]): void {
  base.extend<ChainContext>(chainFixtures())('a block is made', ({ chain }) => {
    heights.push(chain.mine())
    // @ts-expect-error A height is no text.
    heights.push(chain.mine() satisfies string)
  })
}

test('a file that is typed by Playwright gets its fixtures', (t) => {
  const heights: number[] = []
  let height = 1
  const body = { chain: { mine: () => ++height } }
  const extend = (fixtures: object) => {
    t.deepEqual(Object.keys(fixtures), ['chainServer', 'chain'])
    return (_title: string, run: (found: typeof body) => void) => {
      run(body)
    }
  }
  declare({ extend } as unknown as typeof playwright, heights)
  t.deepEqual(heights, [2, 3])
})

test('the runners can read what a fixture needs', (t) => {
  const {
    chainServer: [serve],
    chain,
  } = chainFixtures()
  t.regex(String(serve), /^async \(\{\s*\}, use\)/)
  t.regex(String(chain), /^async \(\{ chainServer \}, use\)/)
})
