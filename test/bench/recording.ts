/**
 * A million exchanges as a packed recording: size, time to the first answer, memory of a process
 * that plays it.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createImporter } from '../../src/recording/playback/importTap.ts'
import { cometNames } from '../../src/shell/playback.ts'
import { savePack } from '../../src/shell/recordings/packFile.ts'
import type { Line } from './evm.ts'

const exchanges = 1_000_000
const perHeight = 40
const manyBlocks = 2400

/** Digits that look drawn and are not. */
function digits(seed: number, length: number): string {
  let text = ''
  for (
    let value = Math.imul(seed, 2_654_435_761) >>> 0;
    text.length < length;
    value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0
  ) {
    text += value.toString(16).padStart(8, '0')
  }
  return text.slice(0, length)
}

type Exchange = { readonly method: string; readonly params: string; readonly result: string }

/**
 * The mix of `mocks.md` §4.4: mostly heights, then calls, blocks, receipts, balances and prices.
 */
function exchangeOf(index: number): Exchange {
  const height = 1 + Math.floor(index / perHeight)
  const [draw, which] = [Math.imul(index + 1, 2_654_435_761) >>> 24, (Math.imul(index + 7, 40_503) >>> 4) % 200]
  const [share, bloom] = [draw % 100, `"logsBloom":"0x${'0'.repeat(512)}"`]
  const quantity = `"0x${height.toString(16)}"`
  if (share < 35) return { method: 'eth_blockNumber', params: '[]', result: quantity }
  if (share < 55) {
    const call = `[{"to":"0x${digits(which % 10, 40)}","data":"0x70a08231${digits(which, 64)}"},"latest"]`
    return {
      method: 'eth_call',
      params: call,
      result: `"0x${digits(which + Math.floor(height / 500), 64)}"`,
    }
  }
  if (share < 70) {
    const result = `{"number":${quantity},"hash":"0x${digits(height, 64)}","parentHash":"0x${digits(height - 1, 64)}",${bloom}}`
    return { method: 'eth_getBlockByNumber', params: `[${quantity},false]`, result }
  }
  if (share < 80) {
    const hash = `"0x${digits(height * 10 + (which % 3), 64)}"`
    return {
      method: 'eth_getTransactionReceipt',
      params: `[${hash}]`,
      result: `{"transactionHash":${hash},"blockNumber":${quantity},${bloom}}`,
    }
  }
  if (share < 90) {
    return {
      method: 'eth_getBalance',
      params: `["0x${digits(which, 40)}","latest"]`,
      result: `"0x${digits(Math.floor(height / 1000), 16)}"`,
    }
  }
  return {
    method: 'eth_gasPrice',
    params: '[]',
    result: `"0x${digits(Math.floor(height / 20), 8)}"`,
  }
}

/** Resolves with the figures. */
export async function lines(): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'chainstage-bench-'))
  const file = join(folder, 'million.pack')
  const importer = createImporter(cometNames)
  importer.line('{"format":"tap/1"}')
  const begun = performance.now()
  for (let index = 0; index < exchanges; index++) {
    const { method, params, result } = exchangeOf(index)
    importer.line(
      JSON.stringify({
        n: index,
        t: index * 2,
        iface: 'b',
        kind: 'http',
        conn: 1,
        method: 'POST',
        path: '/',
        ms: 1,
        req: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
        res: `{"jsonrpc":"2.0","id":1,"result":${result}}`,
      }),
    )
  }
  await savePack(file, importer.library(), { version: '', recordedAt: '', level: 0 })
  const packedIn = performance.now() - begun
  const played = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', playing(file)], { encoding: 'utf8' }),
  ) as { ms: number; megabytes: number; afterBlocks: number }
  const { size } = statSync(file)
  rmSync(folder, { recursive: true })
  return [
    { name: 'a million exchanges, read and packed', value: Math.round(packedIn / 1000), unit: 's' },
    { name: 'a million exchanges, packed', value: Math.round(size / 100_000) / 10, unit: 'MB' },
    { name: 'to the first answer of them', value: Math.round(played.ms), unit: 'ms' },
    {
      name: 'memory of a process that plays them',
      value: Math.round(played.megabytes),
      unit: 'MB',
    },
    {
      name: `memory after ${manyBlocks} of their blocks`,
      value: Math.round(played.afterBlocks),
      unit: 'MB',
    },
  ]
}

function playing(file: string): string {
  const at = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href)
  return `
    import { loadPack } from ${at('shell/recordings/packFile.js')}
    import { createPlayer } from ${at('recording/playback/player.js')}
    const begun = performance.now()
    const megabytes = () => process.memoryUsage().rss / 1e6
    const player = createPlayer(loadPack(${JSON.stringify(file)}))
    player.ask('eth eth_blockNumber []', 0)
    const first = { ms: performance.now() - begun, megabytes: megabytes() }
    for (let height = 1; height <= ${manyBlocks}; height++) {
      player.ask('eth eth_getBlockByNumber ["0x' + height.toString(16) + '",false]', 1)
    }
    console.log(JSON.stringify({ ...first, afterBlocks: megabytes() }))`
}
