/** The ABIs of precompiles that the dashboard knows are those that the precompiles answer. */
import test from 'ava'
import { abiTypes } from '../../../src/app/evmd/precompiles/abi.ts'
import { bankPrecompile } from '../../../src/app/evmd/precompiles/bank.ts'
import { distributionPrecompile } from '../../../src/app/evmd/precompiles/distribution.ts'
import { govPrecompile } from '../../../src/app/evmd/precompiles/gov.ts'
import { ics20Precompile } from '../../../src/app/evmd/precompiles/ics20.ts'
import type { MethodTable } from '../../../src/app/evmd/precompiles/precompile.ts'
import { slashingPrecompile } from '../../../src/app/evmd/precompiles/slashing.ts'
import { stakingPrecompile } from '../../../src/app/evmd/precompiles/staking.ts'
import { selectorOf } from '../../../src/shell/control/abiShapes.ts'
import { precompileAbis } from '../../../src/shell/control/precompileAbis.ts'

const tables: Readonly<Record<string, MethodTable>> = {
  '0800': stakingPrecompile as MethodTable,
  '0801': distributionPrecompile as MethodTable,
  '0802': ics20Precompile as MethodTable,
  '0804': bankPrecompile as MethodTable,
  '0805': govPrecompile as MethodTable,
  '0806': slashingPrecompile as MethodTable,
}

for (const [tail, table] of Object.entries(tables)) {
  test(`the ABI of precompile 0x…${tail} has every method with its results, and no other`, (t) => {
    const contract = precompileAbis.get(`0x${tail.padStart(40, '0')}`)
    const known = (contract?.functions ?? []).map((one) => ({
      selector: selectorOf(one),
      isWrite: !one.reads,
      outputs: abiTypes(one.outputs.map(({ type }) => type).join(',')),
    }))
    const answered = [...table.methods()].map(([selector, { isWrite, outputs }]) => ({ selector, isWrite, outputs }))
    const bySelector = (list: readonly { selector: string }[]) =>
      list.toSorted((a, b) => (a.selector < b.selector ? -1 : 1))
    t.true(known.length > 0)
    t.deepEqual(bySelector(known), bySelector(answered))
  })
}
