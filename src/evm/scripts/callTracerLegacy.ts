/**
 * Source of a tracer that builds the call tree from instructions. It detects a call by its
 * instruction, and the end of a call by the depth of the next instruction.
 */
export const callTracerLegacy = `{
  open: [{}],
  isNew: false,
  top: function () { return this.open[this.open.length - 1] },
  add: function (call) {
    var parent = this.top()
    parent.calls = parent.calls || []
    parent.calls.push(call)
  },
  begin: function (call) {
    this.open.push(call)
    this.isNew = true
  },
  hex: function (number) { return '0x' + bigInt(number).toString(16) },
  create: function (log, name) {
    var start = log.stack.peek(1).valueOf(), end = start + log.stack.peek(2).valueOf()
    this.begin({
      type: name, from: toHex(log.contract.getAddress()),
      input: toHex(log.memory.slice(start, end)),
      gasIn: log.getGas(), gasCost: log.getCost(), value: '0x' + log.stack.peek(0).toString(16)
    })
  },
  destroy: function (log, db, name) {
    var own = log.contract.getAddress()
    this.add({
      type: name, from: toHex(own), to: toHex(toAddress(log.stack.peek(0).toString(16))),
      gasIn: log.getGas(), gasCost: log.getCost(), value: '0x' + db.getBalance(own).toString(16)
    })
  },
  call: function (log, name) {
    var to = toAddress(log.stack.peek(1).toString(16))
    if (isPrecompiled(to)) return
    var hasValue = name === 'CALL' || name === 'CALLCODE', at = hasValue ? 3 : 2
    var start = log.stack.peek(at).valueOf(), end = start + log.stack.peek(at + 1).valueOf()
    var made = {
      type: name, from: toHex(log.contract.getAddress()), to: toHex(to),
      input: toHex(log.memory.slice(start, end)), gasIn: log.getGas(), gasCost: log.getCost(),
      outAt: log.stack.peek(at + 2).valueOf(), outLength: log.stack.peek(at + 3).valueOf()
    }
    if (hasValue) made.value = '0x' + log.stack.peek(2).toString(16)
    this.begin(made)
  },
  step: function (log, db) {
    if (log.getError() !== undefined) return this.fault(log, db)
    var name = (log.op.toNumber() & 0xf0) === 0xf0 ? log.op.toString() : ''
    switch (name) {
      case 'CREATE': case 'CREATE2': return this.create(log, name)
      case 'SELFDESTRUCT': return this.destroy(log, db, name)
      case 'CALL': case 'CALLCODE': case 'DELEGATECALL': case 'STATICCALL':
        return this.call(log, name)
    }
    if (this.isNew) {
      if (log.getDepth() >= this.open.length) this.top().gas = log.getGas()
      this.isNew = false
    }
    if (name === 'REVERT') this.top().error = 'execution reverted'
    else if (log.getDepth() === this.open.length - 1) this.end(log, db)
  },
  end: function (log, db) {
    var call = this.open.pop(), left = log.stack.peek(0), spent = call.gasIn - call.gasCost
    var isCreation = call.type === 'CREATE' || call.type === 'CREATE2'
    if (isCreation) call.gasUsed = this.hex(spent - log.getGas())
    else if (call.gas !== undefined) call.gasUsed = this.hex(spent + call.gas - log.getGas())
    if (left.equals(0)) {
      if (call.error === undefined) call.error = 'internal failure'
    } else if (isCreation) {
      var made = toAddress(left.toString(16))
      call.to = toHex(made)
      call.output = toHex(db.getCode(made))
    } else {
      call.output = toHex(log.memory.slice(call.outAt, call.outAt + call.outLength))
    }
    if (call.gas !== undefined) call.gas = this.hex(call.gas)
    this.add(call)
  },
  fault: function (log) {
    if (this.top().error !== undefined) return
    var call = this.open.pop()
    call.error = log.getError()
    if (call.gas !== undefined) call.gasUsed = call.gas = this.hex(call.gas)
    if (this.open.length > 0) this.add(call)
    else this.open.push(call)
  },
  result: function (ctx) {
    var first = this.open[0]
    var result = {
      type: ctx.type, from: toHex(ctx.from), to: toHex(ctx.to),
      value: '0x' + ctx.value.toString(16),
      gas: this.hex(ctx.gas), gasUsed: this.hex(ctx.gasUsed), input: toHex(ctx.input),
      output: toHex(ctx.output), calls: first.calls
    }
    result.error = first.error !== undefined ? first.error : ctx.error
    var isShown = result.error === 'execution reverted' && result.output !== '0x'
    if (result.error !== undefined && !isShown) delete result.output
    return this.shown(result)
  },
  shown: function (call) {
    var shown = {}, names = [
      'type', 'from', 'to', 'value', 'gas', 'gasUsed', 'input', 'output', 'error', 'calls'
    ]
    for (var i = 0; i < names.length; i++) {
      if (call[names[i]] !== undefined) shown[names[i]] = call[names[i]]
    }
    if (shown.calls) shown.calls = shown.calls.map(this.shown, this)
    return shown
  }
}`
