/**
 * Reads source maps and sources from compiler output: Hardhat's build-info files, and Foundry's
 * artifacts with the source files beside them.
 */
import { z } from 'zod'
import type { MappedCode, SoliditySources } from './sourceMaps.ts'
import { parsedJson } from '../../data/parsedJson.ts'

const range = z.object({ start: z.number(), length: z.number() })
const deployed = z.object({
  object: z.string(),
  sourceMap: z.string().default(''),
  immutableReferences: z.record(z.string(), z.array(range)).default({}),
  linkReferences: z.record(z.string(), z.record(z.string(), z.array(range))).default({}),
})
type Deployed = z.infer<typeof deployed>

/** Hardhat 2 writes input and output into one file, Hardhat 3 into two files with the same id. */
const buildInput = z.object({
  id: z.string().default(''),
  input: z.object({ sources: z.record(z.string(), z.object({ content: z.string().default('') })) }),
})
const buildOutput = z.object({
  id: z.string().default(''),
  output: z.object({
    sources: z.record(z.string(), z.object({ id: z.number() })).default({}),
    contracts: z
      .record(z.string(), z.record(z.string(), z.object({ evm: z.object({ deployedBytecode: deployed }).optional() })))
      .default({}),
  }),
})

const foundryArtifact = z.object({
  id: z.number(),
  deployedBytecode: deployed,
  metadata: z.object({ settings: z.object({ compilationTarget: z.record(z.string(), z.string()) }) }),
})

type Texts = ReadonlyMap<string, string>

export type CompilerFiles = {
  readonly buildInfos: Texts
  readonly artifacts: Texts
  /** Returns the text of a source file in the project of the artifact at `artifactPath`. */
  readonly readSource: (artifactPath: string, file: string) => string | undefined
}

/** Returns the source maps in compiler output; files in other formats are ignored. */
export function sourcesIn({ buildInfos, artifacts, readSource }: CompilerFiles): SoliditySources {
  const built = [...buildInfos.values()].map(parsedJson)
  const contents = new Map(
    built.flatMap((one) => {
      const { success, data } = buildInput.safeParse(one)
      return success ? Object.entries(data.input.sources).map(([file, { content }]) => [file, content] as const) : []
    }),
  )
  const foundry = [...artifacts].flatMap(([path, text]) => {
    const { success, data } = foundryArtifact.safeParse(parsedJson(text))
    const [file] = success ? Object.keys(data.metadata.settings.compilationTarget) : []
    return success && file !== undefined ? [{ path, file, data }] : []
  })
  const paths = new Map(foundry.map(({ path, file }) => [file, path]))
  const files = new Map(foundry.map(({ file, data }) => [data.id, file]))
  return {
    codes: [
      ...built.flatMap(codesOf),
      ...foundry.flatMap(({ data }) => mapped(data.deployedBytecode, (id) => files.get(id))),
    ],
    textOf: (file) => {
      const known = contents.get(file)
      const path = paths.get(file)
      return known ?? (path === undefined ? undefined : readSource(path, file))
    },
  }
}

function codesOf(one: unknown): readonly MappedCode[] {
  const { success, data } = buildOutput.safeParse(one)
  if (!success) return []
  const { sources, contracts } = data.output
  const files = new Map(Object.entries(sources).map(([file, { id }]) => [id, file]))
  return Object.values(contracts)
    .flatMap((file) => Object.values(file))
    .flatMap(({ evm }) => (evm === undefined ? [] : mapped(evm.deployedBytecode, (id) => files.get(id))))
}

function mapped(code: Deployed, fileOf: MappedCode['fileOf']): readonly MappedCode[] {
  const digits = code.object.replace(/^0x/, '').toLowerCase()
  if (digits === '' || code.sourceMap === '') return []
  const links = Object.values(code.linkReferences).flatMap((file) => Object.values(file).flat())
  return [
    { digits, masked: [...Object.values(code.immutableReferences).flat(), ...links], map: code.sourceMap, fileOf },
  ]
}
