import test from 'ava'
import { startLocal } from '../../helpers/server.ts'

type Response = {
  readonly response: { readonly code: number; readonly log: string; readonly value: string | null }
}

async function ask<Result>(url: string, method: string, params: object): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return ((await (await fetch(url, { method: 'POST', body })).json()) as { result: Result }).result
}

test('states are pruned as app.toml says, and blocks stay', async (t) => {
  await using server = await startLocal({
    pruning: 'custom',
    pruningKeepRecent: '2',
    pruningInterval: '5',
    ethApi: ['eth', 'dev'],
  })
  const { comet } = server.urls
  await ask(comet, 'advance_blocks', { num_blocks: '11' })
  const at = (path: string, height: string) =>
    ask<Response>(comet, 'abci_query', { path, data: '51', height, prove: false })
  t.like((await at('/store/staking/key', '8')).response, { code: 0, log: '' })
  t.truthy((await at('/store/staking/key', '8')).response.value)
  t.like((await at('/store/staking/key', '7')).response, { code: 0, log: 'version does not exist', value: null })
  t.like((await at('/cosmos.bank.v1beta1.Query/Params', '7')).response, {
    code: 18,
    log: /^failed to load state at height 7; version does not exist/.exec(
      (await at('/cosmos.bank.v1beta1.Query/Params', '7')).response.log,
    )?.input,
  })
  t.like(await ask(comet, 'block', { height: '1' }), { block: { header: { height: '1' } } })
})
