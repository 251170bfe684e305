/** `vmTrace` of replays: each row is what Anvil 1.7.1 answers for the same code and gas. */
import test from 'ava'
import { localSimulation } from '../../helpers/ethSimulation.ts'

const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const at = (low: string) => `0x${low.padStart(40, '0')}`

type Op = {
  readonly pc: number
  readonly op: string
  readonly cost: number
  readonly ex: {
    readonly used: number
    readonly push: readonly string[]
    readonly mem: { readonly off: number; readonly data: string }
    readonly store: null
  }
  readonly sub: VmTrace | null
}
type VmTrace = { readonly code: string; readonly ops: readonly Op[] }
type Row = readonly [pc: number, op: string, cost: number, used: number, push: string]

function vmTraceOf(code: string | undefined, more: object): VmTrace {
  const { call } = localSimulation()
  const read = (method: string, ...params: unknown[]) => {
    const { result, error } = call(method, ...params)
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
  // Returns 42; reverts.
  read('anvil_setCode', at('beef'), '0x602a5f5260205ff3')
  read('anvil_setCode', at('dead'), '0x5f5ffd')
  if (code !== undefined) read('anvil_setCode', at('c0de1'), code)
  const to = code === undefined ? {} : { to: at('c0de1') }
  const hash = read('eth_sendTransaction', { from, gas: '0x186a0', ...to, ...more })
  const [replayed] = read('trace_replayBlockTransactions', 'latest', ['vmTrace']) as { vmTrace: VmTrace }[]
  const one = read('trace_replayTransaction', hash, ['vmTrace']) as { vmTrace: VmTrace }
  if (JSON.stringify(one.vmTrace) !== JSON.stringify(replayed?.vmTrace)) throw new Error('the two methods differ')
  return one.vmTrace
}

const rowsOf = ({ ops }: VmTrace): readonly Row[] =>
  ops.map(({ pc, op, cost, ex }) => [pc, op, cost, ex.used, ex.push.join(' ')])

const traced = test.macro((t, code: string, more: object, rows: readonly Row[]) => {
  t.deepEqual(rowsOf(vmTraceOf(code, more)), rows)
})

test('a copy and a swap show all values that they touch', traced, '0x60016002809150505f5fa0600f565b00', {}, [
  [0, 'PUSH1', 3, 79_000, '0x1'],
  [2, 'PUSH1', 3, 78_997, '0x2'],
  [4, 'DUP1', 3, 78_994, '0x2 0x2'],
  [5, 'SWAP2', 3, 78_991, '0x2 0x2 0x1'],
  [6, 'POP', 2, 78_988, ''],
  [7, 'POP', 2, 78_986, ''],
  [8, 'PUSH0', 2, 78_984, '0x0'],
  [9, 'PUSH0', 2, 78_982, '0x0'],
  [10, 'LOG0', 375, 78_980, ''],
  [11, 'PUSH1', 3, 78_605, '0xf'],
  [13, 'JUMP', 8, 78_602, ''],
])
test('words that are read or hashed are pushed', traced, '0x5f545f5160205f2000', {}, [
  [0, 'PUSH0', 2, 79_000, '0x0'],
  [1, 'SLOAD', 2100, 78_998, '0x0'],
  [2, 'PUSH0', 2, 76_898, '0x0'],
  [3, 'MLOAD', 6, 76_896, '0x0'],
  [4, 'PUSH1', 3, 76_890, '0x20'],
  [6, 'PUSH0', 2, 76_887, '0x0'],
  [7, 'KECCAK256', 36, 76_885, '0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563'],
  [8, 'STOP', 0, 76_849, ''],
])
test('a store that is reverted has its cost', traced, '0x60015f555f5ffd', {}, [
  [0, 'PUSH1', 3, 79_000, '0x1'],
  [2, 'PUSH0', 2, 78_997, '0x0'],
  [3, 'SSTORE', 22_100, 78_995, ''],
  [4, 'PUSH0', 2, 56_895, '0x0'],
  [5, 'PUSH0', 2, 56_893, '0x0'],
  [6, 'REVERT', 0, 56_891, ''],
])
test('an instruction without gas costs what is left', traced, '0x5b5f56', { gas: '0x5220' }, [
  [0, 'JUMPDEST', 1, 24, ''],
  [1, 'PUSH0', 2, 23, '0x0'],
  [2, 'JUMP', 8, 21, ''],
  [0, 'JUMPDEST', 1, 13, ''],
  [1, 'PUSH0', 2, 12, '0x0'],
  [2, 'JUMP', 8, 10, ''],
  [0, 'JUMPDEST', 1, 2, ''],
  [1, 'PUSH0', 1, 1, ''],
])
test('an invalid instruction pushes nothing', traced, '0x60fefe', {}, [
  [0, 'PUSH1', 3, 79_000, '0xfe'],
  [2, 'INVALID', 0, 78_997, ''],
])
test('coins alone have no instructions', traced, '0x', { value: '0x1' }, [])

test('the code of a creation is traced', (t) => {
  const { code, ops } = vmTraceOf(undefined, { data: '0x67602a5f5260205ff35f52600860185ff3', gas: '0x30d40' })
  t.is(code, '0x')
  t.is(ops.length, 7)
  t.like(ops[6], { pc: 16, op: 'RETURN', cost: 0, ex: { used: 146_707 } })
})

test('a call has the instructions of its contract, and memory is that before an instruction', (t) => {
  const { code, ops } = vmTraceOf('0x60205f5f5f5f61beef61c350f100', {})
  t.is(code, '0x60205f5f5f5f61beef61c350f100')
  const [call, stop] = ops.slice(-2)
  t.like(call, { pc: 12, op: 'CALL', cost: 52_603, ex: { used: 78_983, push: [], store: null } })
  t.is(call?.sub?.code, '0x602a5f5260205ff3')
  t.deepEqual(rowsOf(call?.sub ?? { code: '', ops: [] }), [
    [0, 'PUSH1', 3, 50_000, '0x2a'],
    [2, 'PUSH0', 2, 49_997, '0x0'],
    [3, 'MSTORE', 6, 49_995, ''],
    [4, 'PUSH1', 3, 49_989, '0x20'],
    [6, 'PUSH0', 2, 49_986, '0x0'],
    [7, 'RETURN', 0, 49_984, ''],
  ])
  const data = `0x${'00'.repeat(31)}2a`
  t.deepEqual(
    call?.sub?.ops.map(({ ex }) => ex.mem.off),
    [0, 0, 0, 32, 32, 32],
  )
  t.like(stop, { pc: 13, op: 'STOP', cost: 0, ex: { used: 76_364, mem: { off: 32, data } }, sub: null })
})

test('a creation costs what its code is given, and a call that reverts goes on after it', (t) => {
  const created = vmTraceOf('0x67602a5f5260205ff35f52600860185ff000', {}).ops
  t.like(created[6], { pc: 16, op: 'CREATE', cost: 78_247, ex: { used: 78_981, push: [] }, sub: { code: '0x' } })
  t.like(created[6]?.sub?.ops, [{ op: 'PUSH1', ex: { used: 46_245 } }])
  t.like(created[7], { pc: 17, op: 'STOP', ex: { used: 40_563 } })
  const failing = vmTraceOf('0x5f5f5f5f61dead61c350fa5000', {}).ops
  t.like(failing[6], { op: 'STATICCALL', cost: 52_600, sub: { code: '0x5f5ffd', ops: { length: 3 } } })
  t.like(failing[7], { op: 'POP', ex: { used: 76_382 } })
})

test('a precompile has no instructions, and an account without code an empty list', (t) => {
  const precompile = vmTraceOf('0x5f5f5f5f5f600461c350f100', {}).ops
  t.like(precompile[7], { op: 'CALL', cost: 50_100, sub: null })
  t.like(precompile[8], { op: 'STOP', ex: { used: 78_869 } })
  const empty = vmTraceOf('0x5f5f5f5f600161777761c350f100', { value: '0x5' }).ops
  t.like(empty[7], { op: 'CALL', cost: 78_321, sub: { code: '0x', ops: { length: 0 } } })
  t.like(empty[8], { op: 'STOP', ex: { used: 44_683 } })
})
