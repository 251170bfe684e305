import test from 'ava'
import { changedResult } from '../../src/fault/changedResult.ts'

const changed = test.macro({
  exec(t, path: string, value: string | undefined, wanted: string) {
    const text = '{"logs":[{"a":1},{"a":2}],"x/y":{"z":3}}'
    const effect = { type: 'result', path, change: value === undefined ? 'remove' : 'replace', value: value ?? 'null' } as const
    t.is(changedResult(text, effect), wanted)
  },
  title: (_given, path, value) => `${value === undefined ? 'removes' : `puts ${value} at`} "${path}"`,
})
test(changed, '', undefined, 'null')
test(changed, '', '"0x0"', '"0x0"')
test(changed, '/logs/0', undefined, '{"logs":[{"a":2}],"x/y":{"z":3}}')
test(changed, '/logs/-', '7', '{"logs":[{"a":1},{"a":2},7],"x/y":{"z":3}}')
test(changed, '/x~1y/z', '"0x1"', '{"logs":[{"a":1},{"a":2}],"x/y":{"z":"0x1"}}')
test(changed, '/no/where', '1', '{"logs":[{"a":1},{"a":2}],"x/y":{"z":3}}')
