/**
 * What viem, ethers and cosmjs make of the same question over HTTP, in words that a table can hold.
 */
import { Comet38Client, HttpClient } from '@cosmjs/tendermint-rpc'
import { FetchRequest, JsonRpcProvider } from 'ethers'
import { createPublicClient, http } from 'viem'
import type { Server } from '../../src/index.ts'
import { chainOf } from './server.ts'

/** A transaction that is in a block, by its two hashes. */
export type Sent = { readonly ethHash: `0x${string}`; readonly cometHash: Uint8Array }

export type Question = 'height' | 'receipt'

/** What is asked, and how long is waited: long where an answer comes, however busy the machine. */
export type Asking = {
  readonly question: Question
  readonly sent: Sent
  readonly patienceMs: number
}

/** Asks once and says what came of it; clients try again as they do by themselves, but soon. */
export type Asker = (server: Server, asking: Asking) => Promise<string>

const oneLine = (error: unknown) => {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : ''
  return `${error.name}${code}: ${error.message.replaceAll('\n', ' ')}`
}

const answered = (asking: Promise<unknown>) => asking.then((value) => `${value}`, oneLine)

export const askers: Readonly<Record<'viem' | 'ethers' | 'cosmjs', Asker>> = {
  viem: ({ urls }, { question, sent: { ethHash }, patienceMs }) => {
    const transport = http(urls.eth, { retryDelay: 5, retryCount: 1, timeout: patienceMs })
    const client = createPublicClient({ chain: chainOf(urls.eth), transport, cacheTime: 0 })
    return answered(
      question === 'height'
        ? client.getBlockNumber()
        : client.getTransactionReceipt({ hash: ethHash }).then(({ status }) => status),
    )
  },
  ethers: ({ urls }, { question, sent: { ethHash }, patienceMs }) => {
    const request = new FetchRequest(urls.eth)
    request.timeout = patienceMs
    request.setThrottleParams({ slotInterval: 1, maxAttempts: 2 })
    const options = { staticNetwork: true, batchMaxCount: 1, cacheTimeout: -1 }
    const provider = new JsonRpcProvider(request, 31337, options)
    return answered(
      question === 'height'
        ? provider.getBlockNumber()
        : provider.getTransactionReceipt(ethHash).then((receipt) => (receipt === null ? null : receipt.status)),
    ).finally(() => provider.destroy())
  },
  cosmjs: ({ urls }, { question, sent: { cometHash }, patienceMs }) => {
    const client = Comet38Client.create(new HttpClient(urls.comet, patienceMs))
    return answered(
      question === 'height'
        ? client.status().then(({ syncInfo }) => syncInfo.latestBlockHeight)
        : client.tx({ hash: cometHash }).then(({ result }) => result.code),
    )
  },
}
