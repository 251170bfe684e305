/**
 * Source of a tracer that returns accounts and slots before the transaction. It reads them while
 * the transaction runs, and reverts the value and the fee at the end.
 */
export const prestateTracerLegacy = `{
  accounts: null,
  look: function (address, db) {
    var key = toHex(address)
    if (this.accounts[key] !== undefined) return
    this.accounts[key] = {
      balance: '0x' + db.getBalance(address).toString(16),
      nonce: db.getNonce(address),
      code: toHex(db.getCode(address)),
      storage: {}
    }
  },
  lookSlot: function (address, slot, db) {
    var storage = this.accounts[toHex(address)].storage, key = toHex(slot)
    if (storage[key] === undefined) storage[key] = toHex(db.getState(address, slot))
  },
  named: function (log, index) { return toAddress(log.stack.peek(index).toString(16)) },
  step: function (log, db) {
    var own = log.contract.getAddress()
    if (this.accounts === null) {
      this.accounts = {}
      this.look(own, db)
    }
    switch (log.op.toString()) {
      case 'EXTCODECOPY': case 'EXTCODESIZE': case 'EXTCODEHASH': case 'BALANCE':
        return this.look(this.named(log, 0), db)
      case 'CREATE':
        return this.look(toContract(own, db.getNonce(own)), db)
      case 'CREATE2':
        var start = log.stack.peek(1).valueOf(), end = start + log.stack.peek(2).valueOf()
        var salt = log.stack.peek(3).toString(16)
        return this.look(toContract2(own, salt, log.memory.slice(start, end)), db)
      case 'CALL': case 'CALLCODE': case 'DELEGATECALL': case 'STATICCALL':
        return this.look(this.named(log, 1), db)
      case 'SSTORE': case 'SLOAD':
        return this.lookSlot(own, toWord(log.stack.peek(0).toString(16)), db)
    }
  },
  fault: function () {},
  result: function (ctx, db) {
    if (this.accounts === null) {
      this.accounts = {}
      this.look(ctx.to, db)
    }
    this.look(ctx.from, db)
    var to = this.accounts[toHex(ctx.to)], from = this.accounts[toHex(ctx.from)]
    var sent = bigInt(from.balance.slice(2), 16), got = bigInt(to.balance.slice(2), 16)
    to.balance = '0x' + got.subtract(ctx.value).toString(16)
    from.balance = '0x' + sent.add(ctx.value).add(ctx.gasUsed * ctx.gasPrice).toString(16)
    from.nonce--
    if (ctx.type === 'CREATE') delete this.accounts[toHex(ctx.to)]
    return this.accounts
  }
}`
