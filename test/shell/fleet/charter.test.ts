/** What members have to have in common, without NATS: the charter is one value of a store. */
import test from 'ava'
import { agreeOn } from '../../../src/shell/fleet/charter.ts'
import type { Charter } from '../../../src/shell/fleet/options.ts'
import { defaultSettings } from '../../../src/settings/settings.ts'

type Store = Parameters<typeof agreeOn>[0]

/** Returns a store of one value, which refuses a second creation as NATS does. */
function emptyStore(): Store {
  let held: string | undefined
  const store = {
    create: async (_key: string, value: string) => {
      if (held !== undefined) throw Object.assign(new Error('wrong last sequence'), { code: 10071 })
      held = value
      return 1
    },
    get: async () => (held === undefined ? null : { json: () => JSON.parse(held ?? '') }),
  }
  return store as unknown as Store
}

const charter: Charter = { version: '1.0.0', settings: defaultSettings(), genesis: '{}', plan: 'p' }

const refuses = test.macro(async (t, other: Partial<Charter>, message: RegExp) => {
  const store = emptyStore()
  await agreeOn(store, charter)
  await t.throwsAsync(agreeOn(store, { ...charter, ...other }), { code: 'FLEET_DIFFERS', message })
})

test('another version', refuses, { version: '1.0.1' }, /it runs chainstage 1\.0\.0, but this member runs 1\.0\.1/)
test('another genesis', refuses, { genesis: '{ }' }, /it has a different genesis document/)
test('another scenario', refuses, { plan: 'q' }, /it has a different scenario/)
test(
  'another setting',
  refuses,
  { settings: { ...defaultSettings(), accounts: 3 } },
  /its setting accounts is 10, but this member has 3/,
)

test(
  'a setting by the name that users set it by',
  refuses,
  { settings: { ...defaultSettings(), evmChainId: 99 } },
  /its setting evm\.evm-chain-id is \d+, but this member has 99/,
)

test('a mnemonic is neither stored nor told', async (t) => {
  const store = emptyStore()
  await agreeOn(store, charter)
  const stored = JSON.stringify((await store.get('charter'))?.json())
  t.false(stored.includes(charter.settings.mnemonic))
  const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
  const error = await t.throwsAsync(agreeOn(store, { ...charter, settings: { ...charter.settings, mnemonic } }))
  t.regex(error?.message ?? '', /it has a different mnemonic/)
  t.false((error?.message ?? '').includes('legal'))
})

test('addresses and files of a process may differ', async (t) => {
  const store = emptyStore()
  await agreeOn(store, charter)
  const settings = { ...defaultSettings(), ethAddress: '127.0.0.1:9', home: '/elsewhere' }
  t.like(await agreeOn(store, { ...charter, settings }), { accounts: 10 })
})
