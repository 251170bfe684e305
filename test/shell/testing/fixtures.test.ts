import test from 'ava'
import { chainFixtures } from '../../../src/shell/testing/fixtures.ts'

test('one server serves a session to every test, and both end', async (t) => {
  const { chainServer: [serve, { scope }], chain } = chainFixtures()
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

test('the runners can read what a fixture needs', (t) => {
  const { chainServer: [serve], chain } = chainFixtures()
  t.regex(String(serve), /^async \(\{\s*\}, use\)/)
  t.regex(String(chain), /^async \(\{ chainServer \}, use\)/)
})
