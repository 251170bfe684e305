/** Each listed difference is that quirk's: it is there when no other quirk is off. */
import test from 'ava'
import { quirks } from '../../src/settings/quirks.ts'
import { play, sideB } from './run.ts'
import { differences } from './sane.ts'

const differsAlone = test.macro(async (t, quirk: string) => {
  const others = Object.keys(quirks).filter((name) => name !== quirk)
  const { 'v-mempool-b': onMempool = [], ...rest } = differences[quirk] ?? {}
  const { 'v-restricted-b': restricted = [], ...listed } = rest
  const found = new Set<string>()
  const runs = [
    { names: sideB.filter((name) => name in listed), settings: {}, isSession: true },
    { names: ['v-mempool-b'], settings: { mempoolMaxTxs: 0 }, isSession: false },
    { names: ['v-restricted-b'], settings: { ethApi: ['eth', 'net', 'web3'] }, isSession: false },
  ]
  for (const { names, settings, isSession } of runs) {
    const { files } = await play(names, settings, { isSession, quirks: others })
    for (const { missed } of files) for (const { one } of missed) found.add(one.name)
  }
  const wanted = [...Object.values(listed).flat(), ...onMempool, ...restricted]
  t.true(wanted.length > 0)
  t.deepEqual(
    wanted.filter((name) => !found.has(name)),
    [],
  )
})

for (const quirk of Object.keys(differences)) {
  test.serial(`without ${quirk} alone its cases differ`, differsAlone, quirk)
}
