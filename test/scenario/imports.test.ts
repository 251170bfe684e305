import test from 'ava'
import { relative } from '../../src/scenario/imports.ts'

const resolves = test.macro({
  title: (_title, from: string, target: string, path: string) => `in ${from}, ${target} is ${path}`,
  exec: (t, from: string, target: string, path: string) => t.is(relative(from, target), path),
})

test(resolves, 'a/x.json5', './b.json5', 'a/b.json5')
test(resolves, 'a/x.json5', '../b.json5', 'b.json5')
test(resolves, 'x.json5', '../b.json5', '../b.json5')
test(resolves, './x.json5', '../b.json5', '../b.json5')
test(resolves, 'a/x.json5', '../../out/B.json', '../out/B.json')
test(resolves, '../a/x.json5', '../../b.json5', '../../b.json5')
test(resolves, '/a/x.json5', '../../../b.json5', '/b.json5')
test(resolves, 'C:/a/x.json5', '../../b.json5', 'C:/b.json5')
test(resolves, 'a/x.json5', '/b/c.json5', '/b/c.json5')
test(resolves, 'a/x.json5', 'C:\\b\\c.json5', 'C:/b/c.json5')
test(resolves, 'a/x.json5', '..\\parts\\b.json5', 'parts/b.json5')
