/** Host precompiles: calls out of the EVM, and the journal through which they change its state. */
import { callAnswer, journalAnswer, putReturned, returnedSize, takeCall } from './abi.ts'
import { assert, SimError } from '../errors.ts'
import { type Instance, runningIn } from './instance.ts'
import { type BufferCursor, cursorAt, putBytes, putCount, putRaw, putU256, takeRaw, takeU256 } from './memory.ts'
import type { EvmLog, HostJournal, HostReturn } from './types.ts'

/** The status of a call, and its `returned` record if any. */
type HostAnswer = { answer: number; returned: Uint8Array | undefined }

/**
 * Runs the host precompile whose `call` record is at an address. Before the call, the undo log is
 * cut to the entries of frames that were not reverted. If the call fails, it is cut to the same
 * length again (design §10).
 */
export function runHostCall(instance: Instance, at: number, frame: number): HostAnswer {
  const running = runningIn(instance)
  const { host, undoBase } = running
  assert(host !== undefined, 'a host precompile was called that nobody offered')
  const { call, undo } = takeCall(cursorAt(instance.memory, at))
  host.cut(undoBase + undo)
  const journal = journalOf(instance, frame)
  try {
    const returned = host.call(call, journal.open)
    if (returned.status === 'success') return succeeded(returned, host.mark() - undoBase)
    host.cut(undoBase + undo)
    if (returned.status === 'outOfGas') return { answer: callAnswer.outOfGas, returned: undefined }
    return { answer: callAnswer.revert, returned: record(returned, undo) }
  } catch (error) {
    host.cut(undoBase + undo)
    if (!(error instanceof StaticWrite)) throw error
    return { answer: callAnswer.staticWrite, returned: undefined }
  } finally {
    journal.close()
  }
}

function succeeded(returned: HostReturn, undo: number): HostAnswer {
  return { answer: callAnswer.success, returned: record(returned, undo) }
}

function record(returned: HostReturn, undo: number): Uint8Array {
  const bytes = new Uint8Array(returnedSize(returned))
  putReturned({ bytes, view: new DataView(bytes.buffer), at: 0 }, returned, undo)
  return bytes
}

type JournalExport =
  | 'journal_balance'
  | 'journal_is_contract'
  | 'journal_add_balance'
  | 'journal_sub_balance'
  | 'journal_transfer'
  | 'journal_log'
  | 'journal_slot'
  | 'journal_set_slot'

/** Returns a journal that is valid until `close`, because its frame ends with the call. */
function journalOf(instance: Instance, frame: number): { open: HostJournal; close: () => void } {
  let isOpen = true
  const call = (name: JournalExport, length: number, put: (cursor: BufferCursor) => void) => {
    assert(isOpen, 'a host precompile used its journal after it had returned')
    return journalCall(instance, frame, { name, length, put })
  }
  const open: HostJournal = {
    balance: (address) => takeU256(call('journal_balance', 32, (at) => putRaw(at, address)).answer),
    isContract: (address) => takeU256(call('journal_is_contract', 32, (at) => putRaw(at, address)).answer) === 1n,
    transfer: (from, to, wei) =>
      call('journal_transfer', 72, (at) => {
        putRaw(at, from)
        putAmount(at, to, wei)
      }).isDone,
    addBalance: (address, wei) => {
      const { isDone } = call('journal_add_balance', 52, (at) => putAmount(at, address, wei))
      assert(isDone, 'a balance passed 2^256')
    },
    subBalance: (address, wei) => call('journal_sub_balance', 52, (at) => putAmount(at, address, wei)).isDone,
    log: (log) => {
      call('journal_log', 28 + 32 * log.topics.length + log.data.length, (at) => putLog(at, log))
    },
    slot: (address, key) =>
      takeRaw(
        call('journal_slot', 52, (at) => {
          putRaw(at, address)
          putRaw(at, key)
        }).answer,
        32,
      ),
    setSlot: (address, key, value) => {
      call('journal_set_slot', 84, (at) => {
        putRaw(at, address)
        putRaw(at, key)
        putRaw(at, value)
      })
    },
  }
  return {
    open,
    close: () => {
      isOpen = false
    },
  }
}

function putAmount(cursor: BufferCursor, address: Uint8Array, wei: bigint): void {
  putRaw(cursor, address)
  putU256(cursor, wei)
}

function putLog(cursor: BufferCursor, log: EvmLog): void {
  putRaw(cursor, log.address)
  putCount(cursor, log.topics.length)
  for (const topic of log.topics) putRaw(cursor, topic)
  putBytes(cursor, log.data)
}

type JournalCall = { name: JournalExport; length: number; put: (cursor: BufferCursor) => void }

function journalCall(instance: Instance, frame: number, { name, length, put }: JournalCall) {
  const { exports, memory } = instance
  const start = exports.frame_arguments(frame, length) >>> 0
  put(cursorAt(memory, start))
  const answer = trapped(instance, () => exports[name](frame))
  if (answer === journalAnswer.staticWrite) throw new StaticWrite()
  if (answer === journalAnswer.threw) {
    const { thrown } = runningIn(instance)
    assert(thrown !== undefined, 'the engine reports an exception that no callback threw')
    throw thrown.error
  }
  return { isDone: answer === journalAnswer.ok, answer: cursorAt(memory, start) }
}

/** Runs `act` and marks the instance as broken if the engine throws: this is a trap. */
function trapped<T>(instance: Instance, act: () => T): T {
  try {
    return act()
  } catch (error) {
    instance.isBroken = true
    throw error
  }
}

/** A host precompile wrote in a static call. The frame fails and loses its gas (EIP-214). */
export class StaticWrite extends SimError {
  constructor() {
    super('EVM_STATIC_WRITE', 'a precompile called statically tried to change the state', {
      hint: 'Look at HostCall.isStatic before writing.',
    })
  }
}
