/** The containers of examples/fleet, started as processes of this machine: other names and ports, the same words. */
import { join } from 'node:path'
import test from 'ava'
import { commandsIn, variablesIn } from './helpers/composed.ts'
import { eth, transfer } from './helpers/fleetLoad.ts'
import { noNats, startMember, startNats, statusOf } from './helpers/nats.ts'
import { unusedPorts } from './helpers/unusedPorts.ts'
import { root } from './helpers/packed.ts'

const compose = join(root, 'examples/fleet/compose.yaml')
const manifest = join(root, 'examples/fleet/kubernetes.yaml')
const withNats = noNats === undefined ? test.serial : test.skip
if (noNats !== undefined) test.skip(noNats, () => {})

/** Returns the words without the folder of the container, and with the ports of this machine for its hosts. */
function here(words: readonly string[], ports: readonly number[], own: number): readonly string[] {
  const routes = ports.map((port) => `nats://127.0.0.1:${port}`)
  return words.flatMap((word, at) => {
    if (word === '-sd' || words[at - 1] === '-sd' || word === '-js') return []
    if (words[at - 1] === '--cluster') return [routes[own] ?? '']
    if (words[at - 1] === '--routes') return [routes.join(',')]
    return [word]
  })
}

withNats('the servers and members of the compose file form a fleet', async (t) => {
  t.timeout(120_000)
  const servers = commandsIn(compose, 'command').filter(([first]) => first === '-js')
  t.is(servers.length, 3)
  const ports = await unusedPorts(6)
  const nats = await Promise.all(servers.map((words, own) => startNats(here(words, ports.slice(3), own), ports[own])))
  t.teardown(() => Promise.all(nats.map((one) => one.remove())))
  const { CHAINSTAGE_FLEET = '', CHAINSTAGE_FLEET_NAME = '', ...others } = variablesIn(compose)
  t.is(CHAINSTAGE_FLEET.split(',').length, nats.length)
  t.deepEqual(Object.keys(others), ['CHAINSTAGE_ALLOWED_HOSTS'])
  const url = nats.map((one) => one.url).join(',')
  const words = ['--allowed-hosts', others['CHAINSTAGE_ALLOWED_HOSTS'] ?? '']
  const members = await Promise.all([1, 2, 3].map(() => startMember(url, CHAINSTAGE_FLEET_NAME, words)))
  t.teardown(() => Promise.all(members.map((one) => one.kill())))
  const hash = await transfer(members[0]?.eth ?? '', 1)
  await transfer(members[2]?.eth ?? '', 2)
  t.truthy(await eth(members[2]?.eth ?? '', 'eth_getTransactionReceipt', [hash]))
  t.is((await statusOf(url, CHAINSTAGE_FLEET_NAME)).length, 3)
})

test('the manifest starts what the compose file does, and asks for a token', (t) => {
  const [nats = [], member = []] = commandsIn(manifest, 'args')
  const [first = []] = commandsIn(compose, 'command').filter(([word]) => word === '-js')
  const flags = (words: readonly string[]) => words.filter((word) => word.startsWith('-'))
  t.deepEqual(
    flags(nats).filter((flag) => !['-m', '--auth'].includes(flag)),
    flags(first),
  )
  t.deepEqual(member, ['start'])
})
