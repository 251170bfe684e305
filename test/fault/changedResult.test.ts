import test from 'ava'
import { changedResult } from '../../src/fault/changedResult.ts'

const changed = test.macro({
  exec(t, path: string, value: string | undefined, wanted: string) {
    const text = '{"logs":[{"a":1},{"a":2}],"x/y":{"z":3}}'
    const change = value === undefined ? 'remove' : 'replace'
    t.is(changedResult(text, [{ path, change, value: value ?? 'null' }]), wanted)
  },
  title: (_given, path, value) => `${value === undefined ? 'removes' : `puts ${value} at`} "${path}"`,
})
test(changed, '', undefined, 'null')
test(changed, '', '"0x0"', '"0x0"')
test(changed, '/logs/0', undefined, '{"logs":[{"a":2}],"x/y":{"z":3}}')
test(changed, '/logs/-', '7', '{"logs":[{"a":1},{"a":2},7],"x/y":{"z":3}}')
test(changed, '/x~1y/z', '"0x1"', '{"logs":[{"a":1},{"a":2}],"x/y":{"z":"0x1"}}')
test(changed, '/no/where', '1', '{"logs":[{"a":1},{"a":2}],"x/y":{"z":3}}')
test(changed, '/logs/2', '7', '{"logs":[{"a":1},{"a":2}],"x/y":{"z":3}}')
test(changed, '/logs/a', '7', '{"logs":[{"a":1},{"a":2}],"x/y":{"z":3}}')
test(changed, '/logs/', undefined, '{"logs":[{"a":1},{"a":2}],"x/y":{"z":3}}')
test(changed, '/logs/-1', undefined, '{"logs":[{"a":1},{"a":2}],"x/y":{"z":3}}')

test('changes follow each other, and what is added moves what follows', (t) => {
  t.is(
    changedResult('{"logs":[1,2]}', [
      { path: '/logs/1', change: 'add', value: '9' },
      { path: '/logs/0', change: 'remove', value: 'null' },
      { path: '/more', change: 'add', value: '{}' },
    ]),
    '{"logs":[9,2],"more":{}}',
  )
})
