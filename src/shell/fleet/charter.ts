/**
 * The settings that all members of a fleet must share. The first member writes them to NATS; the
 * others compare theirs.
 */
import type { KV } from '@nats-io/kv'
import { settingLabel } from '../../settings/changes.ts'
import type { Settings, SettingName } from '../../settings/settings.ts'
import { startingNow } from '../beginning.ts'
import { codeOf, FleetDiffers } from './nats.ts'
import type { Charter } from './options.ts'
import { sha256Hex } from '../../crypto/hash.ts'

type Written = {
  readonly format: 1
  readonly version: string
  readonly settings: Settings
  readonly genesis: string
  readonly plan: string
}

const key = 'charter'
const wrongRevision = 10071

/** Settings of a process, not of a chain. Members may differ in these. */
const ownSettings: ReadonlySet<SettingName> = new Set<SettingName>([
  'home',
  'startTimeMs',
  'rpcLaddr',
  'ethAddress',
  'ethWsAddress',
  'apiAddress',
  'grpcAddress',
  'controlAddress',
  'controlExposed',
  'prometheusAddress',
  'tlsCertFile',
  'tlsKeyFile',
  'checkpoints',
])

/**
 * Resolves with the settings of the fleet's chains. They equal the given settings, except that the
 * start time of the main chain and the process settings are the first member's. Throws
 * `FleetDiffers` if any other setting differs.
 */
export async function agreeOn(kv: KV, { version, settings, genesis, plan }: Charter): Promise<Settings> {
  const { startTimeMs } = startingNow(settings)
  const own: Written = {
    format: 1,
    version,
    settings: { ...settings, startTimeMs, mnemonic: sha256Hex(settings.mnemonic) },
    genesis: genesis === undefined ? '' : sha256Hex(genesis),
    plan,
  }
  try {
    await kv.create(key, JSON.stringify(own))
    return { ...settings, startTimeMs }
  } catch (error) {
    if (codeOf(error) !== wrongRevision) throw error
  }
  const theirs = (await kv.get(key))?.json<Written>()
  if (theirs === undefined) throw new FleetDiffers('its charter cannot be read')
  if (theirs.version !== version) {
    throw new FleetDiffers(`it runs chainstage ${theirs.version}, but this member runs ${version}`)
  }
  if (theirs.genesis !== own.genesis) throw new FleetDiffers('it has a different genesis document')
  if (theirs.plan !== plan) throw new FleetDiffers('it has a different scenario')
  for (const name of Object.keys(settings) as SettingName[]) {
    const [here, there] = [own.settings[name], theirs.settings[name]].map((value) => JSON.stringify(value))
    if (ownSettings.has(name) || here === there) continue
    throw new FleetDiffers(
      name === 'mnemonic'
        ? 'it has a different mnemonic'
        : `its setting ${settingLabel(name)} is ${there}, but this member has ${here}`,
    )
  }
  return { ...theirs.settings, mnemonic: settings.mnemonic }
}
