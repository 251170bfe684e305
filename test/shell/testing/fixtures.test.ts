import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { compileFunction, createContext } from 'node:vm'
import type { test as playwright } from '@playwright/test'
import test from 'ava'
import { chainFixtures, type ChainContext } from '../../../src/shell/testing/fixtures.ts'
import { main } from '../../helpers/cli.ts'

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

test('a realm of its own, as Vitest has for vmThreads, has the fixtures too', async (t) => {
  const path = join(dirname(main), 'fixtures.cjs')
  const names = ['exports', 'require', 'module', '__filename', '__dirname']
  const load = compileFunction(readFileSync(path, 'utf8'), names, { parsingContext: createContext({ ...globalThis }) })
  const loaded: { chainFixtures?: typeof chainFixtures } = {}
  load(loaded, createRequire(path), { exports: loaded }, path, dirname(path))
  const { chainServer, chain } = loaded.chainFixtures?.({ ports: 'none' }) ?? chainFixtures()
  t.not(loaded.chainFixtures, undefined)
  await chainServer[0]({}, (server) =>
    chain({ chainServer: server }, (session) => {
      t.is(session.mine(), 2)
      return Promise.resolve()
    }),
  )
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
