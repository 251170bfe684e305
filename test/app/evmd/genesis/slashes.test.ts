/** Slashes of the past, and the evidence that led to them, in a genesis document. */
import { cosmosAddressing } from '../../../helpers/addressing.ts'
import test from 'ava'
import type { AppState } from '../../../../src/app/state.ts'
import { operatorText } from '../../../../src/app/evmd/address.ts'
import { decimalText } from '../../../../src/app/evmd/decimal.ts'
import { genesisDocument } from '../../../../src/app/evmd/genesisDocument.ts'
import { slashMessage } from '../../../../src/app/evmd/modules/distribution/store.ts'
import { equivocation } from '../../../../src/app/evmd/modules/evidence/equivocation.ts'
import { prefixRange } from '../../../../src/app/evmd/storeKeys.ts'
import { anyMessage } from '../../../../src/app/evmd/wire.ts'
import { formatTime } from '../../../../src/codec/time.ts'
import { start } from '../../../../src/index.ts'
import { profileSettings } from '../../../../src/settings/profiles.ts'
import { readChain, replay } from '../../../golden/chains.ts'
import { startChain } from '../../../helpers/evmdChain.ts'
import { contextOf } from '../../../helpers/precompiles.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const entriesOf = (state: AppState, store: 'evidence' | 'distribution', prefix: number) =>
  [
    ...contextOf({ state })
      .store(store)
      .iterate(prefixRange(Uint8Array.of(prefix))),
  ] as const
const inHex = (entries: ReturnType<typeof entriesOf>) => entries.map(([key, value]) => [hex(key), hex(value)])

function slashJson([key, value]: readonly [Uint8Array, Uint8Array]): object {
  const at = Buffer.from(key)
  const { period, fraction } = slashMessage.decode(value)
  return {
    validator_address: operatorText(cosmosAddressing, at.subarray(2, 22)),
    height: at.readBigUInt64BE(22).toString(),
    period: at.readBigUInt64BE(30).toString(),
    validator_slash_event: { validator_period: period.toString(), fraction: decimalText(fraction) },
  }
}

function evidenceJson([, stored]: readonly [Uint8Array, Uint8Array]): object {
  const { typeUrl, value } = anyMessage.decode(stored)
  const { height, time, power, address } = equivocation.decode(value)
  return {
    '@type': typeUrl,
    height: height.toString(),
    time: formatTime(time),
    power: power.toString(),
    consensus_address: address,
  }
}

test('a document brings the evidence and the slash of a real chain back to the same places of the state', (t) => {
  const recorded = readChain('ethereum')
  const end = recorded.blocks.findIndex(({ misbehavior }) => misbehavior.length > 0) + 1
  const { differences, state } = replay({ ...recorded, blocks: recorded.blocks.slice(0, end) })
  t.deepEqual(differences, [])
  const evidence = entriesOf(state, 'evidence', 0)
  const slashes = entriesOf(state, 'distribution', 8)
  t.deepEqual([evidence.length, slashes.length], [1, 1])

  const document = JSON.parse(genesisDocument(profileSettings('local'), new TextEncoder().encode('seed')))
  document.app_state.evidence = { evidence: evidence.map(evidenceJson) }
  document.app_state.distribution = { validator_slash_events: slashes.map(slashJson) }
  const chain = startChain({ document: JSON.stringify(document) })
  chain.block()
  t.deepEqual(inHex(entriesOf(chain.state, 'evidence', 0)), inHex(evidence))
  t.deepEqual(inHex(entriesOf(chain.state, 'distribution', 8)), inHex(slashes))
})

const operator = 'cosmosvaloper10jmp6sgh4cc6zt3e8gw05wavvejgr5pw4xyrql'
/** Delegates since height 0 and period 1. */
const first = 'cosmos10jmp6sgh4cc6zt3e8gw05wavvejgr5pwsjskvv'
/** Delegates since height 14 and period 4. */
const second = 'cosmos1cml96vmptgw99syqrrz8az79xer2pcgp95srxm'

type Distribution = {
  validator_slash_events: object[]
  validator_historical_rewards: { validator_address: string; period: string }[]
  delegator_starting_infos: { starting_info: object }[]
}

/** An export of a real node at height 37, in which the validator is in period 5. */
function exported(change: (distribution: Distribution) => void): string {
  const { genesis } = readChain('exported')
  change((genesis.app_state as { distribution: Distribution }).distribution)
  return JSON.stringify(genesis)
}

const slash = (period: string, fraction: string) => ({
  validator_address: operator,
  height: '20',
  period,
  validator_slash_event: { validator_period: period, fraction },
})
const slashed = (period: string, fraction: string) =>
  exported((distribution) => {
    distribution.validator_slash_events = [slash(period, fraction)]
  })

async function rewards(server: { urls: { rest: string } }, delegator: string): Promise<unknown> {
  const path = `/cosmos/distribution/v1beta1/delegators/${delegator}/rewards/${operator}`
  return (await fetch(`${server.urls.rest}${path}`)).json()
}

test('a slash of the genesis is listed, and lowers the rewards from its period on', async (t) => {
  await using server = await start({ ports: 'free', genesis: slashed('4', '0.1') })
  const response = await fetch(
    `${server.urls.rest}/cosmos/distribution/v1beta1/validators/${operator}/slashes?ending_height=100`,
  )
  const { slashes } = (await response.json()) as { slashes: unknown }
  t.deepEqual(slashes, [{ validator_period: '4', fraction: '0.100000000000000000' }])
  // The stake of 1,000 earns 0.025343929581029963 per unit until period 4, and what is left of it earns
  // 39998685962121306315.966 of 1,088 in period 5.
  const unit = 10n ** 18n
  const since = (39_998_685_962_121_306_315_966n * unit) / (1_088n * unit * 1_000n)
  const amount = 25_343_929_581_029_963n * 1_000n + since * 900n
  t.deepEqual(await rewards(server, first), { rewards: [{ denom: 'atest', amount: decimalText(amount * unit) }] })
})

const panics = test.macro(async (t, genesis: string, delegator: string, message: string) => {
  await using server = await start({ ports: 'free', genesis })
  t.deepEqual(await rewards(server, delegator), { code: 13, message, details: [] })
})

test(
  'a slash whose period has no rewards on record makes the node panic',
  panics,
  slashed('6', '0.1'),
  second,
  'negative coin amount',
)
test(
  'a slash in a period that has not begun makes the node panic',
  panics,
  slashed('9', '0.1'),
  first,
  'startingPeriod cannot be greater than endingPeriod',
)
test(
  'a slash of more than the stake makes the node panic',
  panics,
  slashed('4', '1.1'),
  first,
  'stake should not be negative',
)
test(
  'a period before the current one without rewards on record makes the node panic',
  panics,
  exported((distribution) => {
    const { validator_historical_rewards: rewards } = distribution
    distribution.validator_historical_rewards = rewards.filter(({ period }) => period !== '4')
  }),
  first,
  'cannot set negative reference count',
)
test(
  'a delegation that began with more than is left makes the node panic, as if its slash were taken out',
  panics,
  exported(({ delegator_starting_infos: [, , info] }) => {
    Object.assign(info?.starting_info ?? {}, { stake: '1000000000000000000000.000000000000000004' })
  }),
  first,
  `calculated final stake for delegator ${first} greater than current stake` +
    '\n\tfinal stake:\t1000000000000000000000.000000000000000004' +
    '\n\tcurrent stake:\t1000000000000000000000.000000000000000000',
)

const refused = test.macro(async (t, event: object, message: RegExp, code?: string) => {
  const genesis = exported((distribution) => {
    distribution.validator_slash_events = [event]
  })
  await t.throwsAsync(start({ ports: 'none', genesis }), { message, code: code ?? 'INVALID_GENESIS' })
})

test(
  'a slash of an account that is no validator is refused with its place',
  refused,
  { ...slash('4', '0.1'), validator_address: first },
  /app_state\.distribution\.validator_slash_events\[0\]\.validator_address must be a cosmosvaloper address/,
)
test(
  'a slash of something else than a number is refused with its place',
  refused,
  slash('4', 'ten'),
  /validator_slash_events\[0\]\.validator_slash_event must be a cosmos\.distribution\.v1beta1\.ValidatorSlashEvent: /,
)
test(
  'a slash with an unknown member is refused with its place',
  refused,
  { ...slash('4', '0.1'), extra: '1' },
  /validator_slash_events\[0\]\.extra is not supported/,
  'UNREAD_GENESIS',
)
