/** Every effect on connections, one test each: what viem, ethers and cosmjs saw of it. */
import test from 'ava'
import type { Server } from '../../src/index.ts'
import { socketEffect } from '../../src/scenario/effects/sockets.ts'
import { listeners } from '../helpers/faultListeners.ts'
import { eventually, startLocal } from '../helpers/server.ts'
import { socketFaults, type SocketFault } from '../helpers/socketFaultTable.ts'

const names = ['viem', 'ethers', 'cosmjs'] as const

const each = test.macro({
  async exec(t, { effect, ends, ...wanted }: SocketFault) {
    await using server = await startLocal()
    const open = () => Promise.all(names.map((name) => listeners[name](server)))
    const plant = () => server.fault('planted', { effect })
    const isSubscribed = () => {
      const { comet, eth } = server.simulation().node.subscriptions
      return eth.size === 2 && comet.size === 1
    }
    const isEarly = ends === 'refused'
    const early = isEarly ? await plant() : undefined
    const ears = await open()
    if (!isEarly) await eventually(isSubscribed)
    const end = early ?? (await plant())
    for (let block = 0; block < 3; block++) server.mine(1)
    const heard = (index: number) => ears[index]?.words.join(' ') ?? ''
    if (ends !== undefined) await eventually(() => heard(0) !== '' && heard(1) !== '')
    end()
    server.mine(1)
    const isHeard = () => names.every((name, index) => wanted[name].test(heard(index)))
    for (let tries = 0; tries < 3000 && !isHeard(); tries++) await pause()
    for (const [index, name] of names.entries()) t.regex(heard(index), wanted[name], name)
    if (ends === 'broken') {
      // Of them all, cosmjs alone comes back, says nothing of it, and hears nothing any more.
      await eventually(() => sidesOf(server).includes('comet'))
      t.deepEqual(sidesOf(server), ['comet'])
      t.is(server.simulation().node.subscriptions.comet.size, 0)
    }
    for (const ear of ears) ear.close()
  },
  title: (title = '') => `listeners see ${title}`,
})

const pause = () =>
  new Promise<void>((done) => {
    setTimeout(done, 20)
  })

const sidesOf = (server: Server) => [...server.simulation().node.connections.values()].map(({ side }) => side)

for (const [title, row] of Object.entries(socketFaults)) test.serial(title, each, row)

test('the table of connections leaves no effect out', (t) => {
  const tried = Object.values(socketFaults).map(({ effect }) => effect)
  t.true(tried.some(({ refuse }) => refuse === true))
  // How long a door stays shut has a test of its own.
  const { refuseFor: _, ...effects } = socketEffect.shape
  const isTried = (name: string) => tried.some(({ ws = {} }) => name in ws)
  t.deepEqual(
    Object.keys(effects).filter((name) => !isTried(name)),
    [],
  )
})
