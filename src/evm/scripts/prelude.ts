/**
 * The environment of a JavaScript tracer, as JavaScript source: go-ethereum's functions and objects
 * (`eth/tracers/js/goja.go`, 1.16). `ask` is the only call to the host; its arguments and result
 * are strings.
 *
 * Every function that the host calls returns a string: `=` and a value, or `!` and an error.
 */
const surroundings = `
  var Bytes = Uint8Array, stringify = JSON.stringify, parse = JSON.parse, run = eval
  var refused
  function refuse(text) {
    if (refused === undefined) refused = text
    throw new Error(text)
  }
  function hexOf(bytes) {
    var text = ''
    for (var i = 0; i < bytes.length; i++) text += (bytes[i] < 16 ? '0' : '') + bytes[i].toString(16)
    return text
  }
  function digit(code) {
    if (code >= 48 && code <= 57) return code - 48
    var letter = (code | 32) - 97
    return letter >= 0 && letter < 6 ? letter + 10 : -1
  }
  // As Go decodes: digits up to the first pair that is none.
  function bytesOf(hex) {
    var bytes = new Bytes(hex.length >> 1)
    for (var i = 0; i < bytes.length; i++) {
      var high = digit(hex.charCodeAt(2 * i)), low = digit(hex.charCodeAt(2 * i + 1))
      if (high < 0 || low < 0) return bytes.slice(0, i)
      bytes[i] = 16 * high + low
    }
    return bytes
  }
  function fromHex(text) {
    var digits = /^0[xX]/.test(text) ? text.slice(2) : text
    return bytesOf(digits.length % 2 === 0 ? digits : '0' + digits)
  }
  function taken(value, isTextAllowed) {
    if (value === undefined || value === null) {
      throw new TypeError('Cannot convert undefined or null to object')
    }
    if (isTextAllowed && (typeof value === 'string' || value instanceof String)) {
      return fromHex(String(value))
    }
    if (Array.isArray(value)) return Bytes.from(value)
    if (value.constructor === Bytes && value instanceof Bytes) return value
    return refuse('invalid buffer type')
  }
  // The last bytes, with zeros before them.
  function fitted(bytes, length) {
    var fit = new Bytes(length), own = bytes.slice(-length)
    fit.set(own, length - own.length)
    return fit
  }
  function whole(value) { return Math.trunc(Number(value)) || 0 }
  function addressHex(value, isTextAllowed) {
    return hexOf(fitted(taken(value, isTextAllowed), 20))
  }
  function refuseRange(who, held, offset, size) {
    refuse(who + ' accessed out of bound memory: available ' + held + ', offset ' + offset
      + ', size ' + size)
  }
  var globals = {
    bigInt: bigInt,
    toHex: function (value) { return '0x' + hexOf(taken(value, false)) },
    toWord: function (value) { return fitted(taken(value, true), 32) },
    toAddress: function (value) { return fitted(taken(value, true), 20) },
    toContract: function (from, nonce) {
      return bytesOf(ask('contract', addressHex(from, true), String(whole(nonce))))
    },
    toContract2: function (from, salt, code) {
      var word = hexOf(fitted(fromHex(String(salt)), 32))
      return bytesOf(ask('contract2', addressHex(from, true), word, hexOf(taken(code, true))))
    },
    isPrecompiled: function (value) {
      return ask('isPrecompiled', addressHex(value, true)) === '1'
    },
    slice: function (value, from, to) {
      var bytes = taken(value, false), start = whole(from), end = whole(to)
      if (start < 0 || start > end || end > bytes.length) {
        refuseRange('Tracer', bytes.length, start, end - start)
      }
      return bytes.slice(start, end)
    }
  }
  for (var name in globals) globalThis[name] = globals[name]

  var now = {}
  var log = {
    getPC: function () { return now.pc },
    getGas: function () { return now.gas },
    getCost: function () { return now.cost },
    getDepth: function () { return now.depth },
    getRefund: function () { return now.refund },
    getError: function () { return now.error },
    op: {
      toNumber: function () { return now.op },
      toString: function () { return now.name },
      isPush: function () { return now.op >= 0x5f && now.op <= 0x7f }
    },
    stack: {
      length: function () { return now.height },
      peek: function (index) {
        var at = whole(index)
        if (at < 0 || at >= now.height) {
          refuse('tracer accessed out of bound stack: size ' + now.height + ', index ' + at)
        }
        return bigInt(ask('peek', String(at)))
      }
    },
    memory: {
      length: function () { return now.size },
      slice: function (from, to) {
        var start = whole(from), end = whole(to)
        if (start === end) return new Bytes(0)
        if (end < start || start < 0) {
          refuse('tracer accessed out of bound memory: offset ' + start + ', end ' + end)
        }
        if (end - now.size > 1048576) {
          refuse('reached limit for padding memory slice: ' + (end - now.size))
        }
        return bytesOf(ask('memory', String(start), String(end)))
      },
      getUint: function (offset) {
        var at = whole(offset)
        if (at < 0 || now.size < at + 32) refuseRange('tracer', now.size, at, 32)
        return bigInt(ask('memory', String(at), String(at + 32)), 16)
      }
    },
    contract: {
      getCaller: function () { return bytesOf(ask('caller')) },
      getAddress: function () { return bytesOf(ask('address')) },
      getValue: function () { return bigInt(ask('value')) },
      getInput: function () { return bytesOf(ask('input')) }
    }
  }
  var db = {
    getBalance: function (of) { return bigInt(ask('balance', addressHex(of, false))) },
    getNonce: function (of) { return Number(ask('nonce', addressHex(of, false))) },
    getCode: function (of) { return bytesOf(ask('code', addressHex(of, false))) },
    getState: function (of, key) {
      var address = addressHex(of, false)
      return bytesOf(ask('slot', address, hexOf(fitted(taken(key, false), 32))))
    },
    exists: function (of) { return ask('exists', addressHex(of, false)) === '1' }
  }
`

const calls = String.raw`
  var entered = {}, left = {}
  var frame = {
    getType: function () { return entered.type },
    getFrom: function () { return bytesOf(entered.from) },
    getTo: function () { return bytesOf(entered.to) },
    getInput: function () { return bytesOf(entered.input) },
    getGas: function () { return entered.gas },
    getValue: function () {
      return entered.value === undefined ? undefined : bigInt(entered.value)
    }
  }
  var frameResult = {
    getGasUsed: function () { return left.gasUsed },
    getOutput: function () { return bytesOf(left.output) },
    getError: function () { return left.error }
  }

  var tracer
  function textOf(error) {
    try {
      return String(error).replace(/^ReferenceError: '(.*)' is not defined/,
        'ReferenceError: $1 is not defined')
    } catch (why) {
      if (why && why.message === 'execution timeout') return why.message
      return 'an error that cannot be told'
    }
  }
  function attempt(act, where) {
    refused = undefined
    var suffix = where === undefined ? '' : "    in server-side tracer function '" + where + "'"
    try {
      var value = act()
      if (refused === undefined) return '=' + value
    } catch (error) {
      if (refused === undefined) return '!' + textOf(error) + suffix
    }
    return '!' + refused + suffix
  }
  function see(pc, op, name, gas, cost, depth, refund, height, size, error) {
    now = {
      pc: pc, op: op, name: name, gas: gas, cost: cost, depth: depth, refund: refund,
      height: height, size: size, error: error
    }
    return '='
  }
  function hook(name) {
    return attempt(function () { tracer[name](log, db); return '' }, name)
  }
  function isFunction(name) { return typeof tracer[name] === 'function' }
  function member(value) { return value === undefined ? undefined : bytesOf(value) }
  function lack() {
    if (!isFunction('result')) return 'trace object must expose a function result()'
    if (!isFunction('fault')) return 'trace object must expose a function fault()'
    if (isFunction('enter') !== isFunction('exit')) {
      return 'trace object must expose either both or none of enter() and exit()'
    }
    return ''
  }

  return {
    load: function (code, config) {
      try {
        var made = run('(' + code + ')')
      } catch (error) {
        var text = textOf(error), word = /^[\w$]+/.exec(code)
        var isFirst = word && text === 'ReferenceError: ' + word[0] + ' is not defined'
        var kind = error instanceof SyntaxError ? 'SyntaxError: ' : ''
        return '!' + kind + text + (isFirst ? ' at <eval>:1:2(0)' : '')
      }
      if (made === undefined || made === null) {
        return '!TypeError: Cannot convert undefined or null to object'
      }
      tracer = Object(made)
      var lacks = attempt(lack)
      if (lacks !== '=') return '!' + lacks.slice(1)
      return attempt(function () {
        if (isFunction('setup')) tracer.setup(config)
        return (isFunction('step') ? 'step ' : '') + (isFunction('enter') ? 'enter' : '')
      })
    },
    see: see,
    step: function () {
      see.apply(undefined, arguments)
      return hook('step')
    },
    fault: function (error) {
      now.error = error
      return hook('fault')
    },
    enter: function (told) {
      entered = parse(told)
      return attempt(function () { tracer.enter(frame); return '' }, 'enter')
    },
    exit: function (told) {
      left = parse(told)
      return attempt(function () { tracer.exit(frameResult); return '' }, 'exit')
    },
    result: function (told) {
      var ctx = parse(told)
      var bytes = ['from', 'to', 'input', 'output', 'coinbase', 'blockHash', 'txHash']
      bytes.forEach(function (name) { if (name in ctx) ctx[name] = member(ctx[name]) })
      ctx.value = bigInt(ctx.value)
      ctx.gasPrice = bigInt(ctx.gasPrice)
      var value
      var called = attempt(function () { value = tracer.result(ctx, db); return '' }, 'result')
      if (called !== '=') return called
      if (value === undefined || value === null) return '={}'
      if (typeof value === 'number' && !isFinite(value)) {
        return '!json: unsupported value: ' + String(value).replace('Infinity', 'Inf')
      }
      return attempt(function () {
        var text = stringify(value)
        return text === undefined ? 'null' : text
      })
    }
  }
`

/**
 * Source of a function that takes `ask` and returns the functions that the host calls. Needs
 * `bigInt`.
 */
export const prelude = `(function (ask) {${surroundings}${calls}})`
