/**
 * JavaScript tracers that go-ethereum 1.16 knows by name, reimplemented with the same output. Those
 * named "Legacy" correspond to earlier versions of its native tracers, including their bugs.
 */
import { callTracerLegacy } from './callTracerLegacy.ts'
import { prestateTracerLegacy } from './prestateTracerLegacy.ts'

const opcountTracer = `{
  count: 0,
  step: function () { this.count += 1 },
  fault: function () {},
  result: function () { return this.count }
}`

const noopTracerLegacy = `{
  step: function () {},
  fault: function () {},
  result: function () { return {} }
}`

const unigramTracer = `{
  seen: {},
  step: function (log) {
    var name = log.op.toString()
    this.seen[name] = (this.seen[name] || 0) + 1
  },
  fault: function () {},
  result: function () { return this.seen }
}`

// A pair counts if both instructions ran consecutively at the same depth.
const bigramTracer = `{
  seen: {}, last: '', depth: 0,
  step: function (log) {
    var name = log.op.toString(), depth = log.getDepth()
    if (depth === this.depth) {
      var pair = this.last + '-' + name
      this.seen[pair] = (this.seen[pair] || 0) + 1
    }
    this.last = name
    this.depth = depth
  },
  fault: function () {},
  result: function () { return this.seen }
}`

// The first instruction at a new depth is not part of any triple.
const trigramTracer = `{
  seen: {}, last: ['', ''], depth: 0,
  step: function (log) {
    var depth = log.getDepth()
    if (depth !== this.depth) {
      this.last = ['', '']
      this.depth = depth
      return
    }
    var name = log.op.toString(), triple = this.last.concat(name).join('-')
    this.seen[triple] = (this.seen[triple] || 0) + 1
    this.last = [this.last[1], name]
  },
  fault: function () {},
  result: function () { return this.seen }
}`

// Selectors of inner calls with the size of the data after them, then of the outer call.
const fourByteTracerLegacy = `{
  seen: {},
  inputAt: { CALL: 3, CALLCODE: 3, DELEGATECALL: 2, STATICCALL: 2 },
  note: function (selector, size) {
    var key = toHex(selector) + '-' + size
    this.seen[key] = (this.seen[key] || 0) + 1
  },
  step: function (log) {
    var at = this.inputAt[log.op.toString()]
    if (!at || isPrecompiled(toAddress(log.stack.peek(1).toString(16)))) return
    var size = log.stack.peek(at + 1).valueOf()
    if (size < 4) return
    var offset = log.stack.peek(at).valueOf()
    this.note(log.memory.slice(offset, offset + 4), size - 4)
  },
  fault: function () {},
  result: function (ctx) {
    if (ctx.input.length >= 4) this.note(slice(ctx.input, 0, 4), ctx.input.length - 4)
    return this.seen
  }
}`

// Data for a disassembler: instructions with the stack values they leave, and calls as trees.
const evmdisTracer = `{
  frames: [{ ops: [] }],
  // How many values an instruction leaves. DUP and SWAP show all that they touch; instructions that
  // are younger than the tracer show none.
  left: function (op) {
    if (op >= 0x80 && op <= 0x8f) return op - 0x80 + 2
    if (op >= 0x90 && op <= 0x9f) return op - 0x90 + 2
    if (op >= 0x60 && op <= 0x7f) return 1
    return this.leaving.indexOf(op) >= 0 ? 1 : 0
  },
  leaving: [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 32, 48, 49, 50,
    51, 52, 53, 54, 56, 58, 59, 64, 65, 66, 67, 68, 69, 81, 84, 88, 89, 90, 240, 241, 242
  ],
  call: function (made, log, at) {
    var offset = log.stack.peek(at).valueOf(), size = log.stack.peek(at + 1).valueOf()
    made.gas = log.stack.peek(0).valueOf()
    made.to = log.stack.peek(1).toString(16)
    if (at === 3) made.value = log.stack.peek(2).toString()
    else made.op = log.op.toString()
    made.input = log.memory.slice(offset, offset + size)
    made.error = null
    made['return'] = null
    made.ops = []
    this.frames.push(made)
  },
  step: function (log) {
    var frame = this.frames[this.frames.length - 1]
    if (log.getError()) {
      frame.error = log.getError()
      return
    }
    if (log.getDepth() !== this.frames.length) {
      this.frames = this.frames.slice(0, log.getDepth())
      return
    }
    var number = log.op.toNumber(), name = log.op.toString()
    var made = { op: number, depth: log.getDepth(), result: [] }
    var before = frame.ops[frame.ops.length - 1]
    for (var i = 0; before && i < this.left(before.op); i++) {
      before.result.push(log.stack.peek(i).toString(16))
    }
    if (name === 'CALL' || name === 'CALLCODE') this.call(made, log, 3)
    if (name === 'DELEGATECALL' || name === 'STATICCALL') this.call(made, log, 2)
    if (name === 'RETURN' || name === 'REVERT') {
      var start = log.stack.peek(0).valueOf()
      frame['return'] = log.memory.slice(start, start + log.stack.peek(1).valueOf())
    }
    if (name === 'STOP' || name === 'SELFDESTRUCT') frame['return'] = log.memory.slice(0, 0)
    if (name === 'JUMPDEST') made.pc = log.getPC()
    if (log.op.isPush()) made.len = number - 0x5e
    frame.ops.push(made)
  },
  fault: function () {},
  result: function () { return this.frames[0].ops }
}`

/** Sources by name. */
export const namedScripts: ReadonlyMap<string, string> = new Map(
  Object.entries({
    opcountTracer,
    unigramTracer,
    bigramTracer,
    trigramTracer,
    evmdisTracer,
    noopTracerLegacy,
    callTracerLegacy,
    prestateTracerLegacy,
    '4byteTracerLegacy': fourByteTracerLegacy,
  }),
)
