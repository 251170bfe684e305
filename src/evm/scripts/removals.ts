/**
 * Removes nondeterminism before a tracer runs, as JavaScript source: the clock, randomness,
 * anything that reveals garbage collection, and native BigInt, which the node's interpreter lacks.
 *
 * The interpreter counts jumps and calls, but not the work inside a built-in function. Built-ins
 * whose work grows with an array or a string are therefore charged its length, up to a fixed total.
 */
const source = `
  var lengthOf = Object.getOwnPropertyDescriptor, apply = Reflect.apply, isArray = Array.isArray
  var define = Object.defineProperty, number = Number
  ;['Date', 'BigInt', 'WeakRef', 'FinalizationRegistry', 'Proxy', 'SharedArrayBuffer', 'Atomics',
    'performance', 'navigator', 'queueMicrotask'].forEach(function (name) { delete globalThis[name] })
  delete Math['random']

  var done = 0, most = 5e7
  function charge(amount) {
    done += amount
    if (!(done <= most)) throw new RangeError('execution timeout')
  }
  var typed = Object.getPrototypeOf(Uint8Array.prototype)
  var typedLength = lengthOf(typed, 'length').get
  // Read once and unable to change between here and the function: getters are refused.
  function sizeOf(value) {
    if (typeof value === 'string' || isArray(value)) return value.length
    if (value === null || typeof value !== 'object') return 1
    try {
      return apply(typedLength, value, [])
    } catch (_) {
      var own = lengthOf(value, 'length')
      if (own === undefined) return 'length' in value ? Infinity : 1
      return typeof own.value === 'number' ? own.value : Infinity
    }
  }
  function guard(owner, name, grows) {
    var native = owner[name]
    define(owner, name, { value: function () {
      var first = arguments[0], size = sizeOf(this)
      var times = typeof first === 'string' ? first.length : grows ? number(first) : 1
      charge((size + 1) * (times >= 1 ? times : 1))
      return apply(native, this, arguments)
    } })
  }
  // Those that look at one element only.
  var quick = ['constructor', 'push', 'pop', 'at', 'charAt', 'charCodeAt', 'codePointAt', 'keys',
    'values', 'entries', 'toString', 'valueOf']
  ;[Array.prototype, String.prototype, typed].forEach(function (owner) {
    Object.getOwnPropertyNames(owner).forEach(function (name) {
      var own = lengthOf(owner, name)
      if (typeof own.value !== 'function' || quick.indexOf(name) >= 0) return
      guard(owner, name, name === 'repeat' || name === 'padStart' || name === 'padEnd')
    })
  })
`

/** Source that must run first. */
export const removals = `(function () {${source}})()`
