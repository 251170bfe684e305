/** Every command by its name, loaded when it is asked for. */
import type { Verb } from './verb.ts'

/** The headings of `chainstage --help`, each with its commands in order. */
export const verbGroups: Readonly<Record<string, readonly string[]>> = {
  'Serve a chain': ['new', 'start', 'instances', 'fleet', 'init'],
  'Run scenarios': ['run', 'test', 'check', 'schema'],
  'Record and replay': ['record', 'recording', 'replay'],
  'Control a running chain': [
    'status',
    'mine',
    'time',
    'faucet',
    'checkpoint',
    'restore',
    'faults',
    'signal',
    'reload',
    'chain-info',
  ],
  Other: ['accounts', 'methods', 'completions'],
}

export const verbs: Readonly<Record<string, () => Promise<Verb>>> = {
  start: async () => (await import('./start.ts')).start,
  new: async () => (await import('./new.ts')).create,
  run: async () => (await import('./run.ts')).run,
  test: async () => (await import('./test.ts')).test,
  record: async () => (await import('./record.ts')).record,
  recording: async () => (await import('./recording.ts')).recording,
  replay: async () => (await import('./replay.ts')).replay,
  check: async () => (await import('./check.ts')).check,
  init: async () => (await import('./init.ts')).init,
  status: async () => (await import('./status.ts')).status,
  mine: async () => (await import('./mine.ts')).mine,
  time: async () => (await import('./time.ts')).time,
  checkpoint: async () => (await import('./checkpoint.ts')).checkpoint,
  restore: async () => (await import('./restore.ts')).restore,
  signal: async () => (await import('./signal.ts')).signal,
  reload: async () => (await import('./reload.ts')).reload,
  faults: async () => (await import('./faults.ts')).faults,
  faucet: async () => (await import('./faucet.ts')).faucet,
  fleet: async () => (await import('./fleet.ts')).fleet,
  instances: async () => (await import('./instances.ts')).instances,
  methods: async () => (await import('./methods.ts')).methods,
  accounts: async () => (await import('./accounts.ts')).accounts,
  'chain-info': async () => (await import('./chainInfo.ts')).chainInfo,
  schema: async () => (await import('./schema.ts')).schema,
  completions: async () => (await import('./completions.ts')).completionsOf(verbs),
}
