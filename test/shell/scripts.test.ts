/** The interpreter of tracers in JavaScript is loaded when a trace first wants it. */
import test from 'ava'
import { headerLine } from '../../src/recording/format.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { replayText } from '../../src/shell/replayer.ts'
import { scripts } from '../../src/shell/scripts/loading.ts'
import { runRecorded } from '../helpers/recordedRun.ts'

const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

test('the first trace by a script waits for the interpreter, and is replayed', async (t) => {
  const settings = {
    ...profileSettings('local'),
    rpcLaddr: '',
    ethAddress: '127.0.0.1:0',
    ethWsAddress: '',
    apiAddress: '',
    grpcAddress: '',
    controlAddress: '',
    // Beside other tests, a thread and its interpreter may take longer to start than a call may take.
    evmTimeout: '1m',
  }
  const { running, lines } = await runRecorded(settings)
  const ask = async (tracer: string) =>
    (await (
      await fetch(running.urls.eth, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'debug_traceCall',
          params: [{ from, to: from }, 'latest', { tracer, timeout: '1m' }],
        }),
      })
    ).json()) as { readonly result?: unknown; readonly error?: unknown }
  t.is(scripts.part, undefined)
  const counts = await Promise.all([ask('opcountTracer'), ask('unigramTracer')])
  await running.close()
  t.deepEqual(
    counts.map(({ result, error }) => ({ result, error })),
    [0, {}].map((result) => ({ result, error: undefined })),
  )
  const header = headerLine({
    format: 1,
    version: '',
    files: {},
    scenario: '',
    seed: settings.seed,
    settings,
  })
  t.is((await replayText(`${[header, ...lines].join('\n')}\n`)).difference, undefined)
})
