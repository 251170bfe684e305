import test from 'ava'
import { canonicalJson } from '../../../src/data/canonicalJson.ts'
import { parseCanonicalJson } from '../../../src/data/parseCanonicalJson.ts'
import { compiledBuiltIn, builtInPath } from '../../../src/shell/scenarios/builtInScenario.ts'
import { packagePath, packageText } from '../../../src/shell/packageFiles.ts'
import { loadScenario } from '../../../src/shell/scenarios/scenarioFiles.ts'

test('the text beside the program holds the built-in scenario as it is compiled', async (t) => {
  const { given: _given, files, ...loaded } = await loadScenario(packagePath(builtInPath))
  const { text, compiled } = parseCanonicalJson(await compiledBuiltIn()) as { text: string; compiled: typeof loaded }
  t.is(text, packageText(builtInPath))
  t.deepEqual([...files.values()], [text])
  t.is(canonicalJson(compiled), canonicalJson({ ...loaded, closure: [builtInPath] }))
})
