/** A balance over REST and over gRPC, 16 at a time, of the program that ships. */
import { GrpcClient, textField } from '../helpers/grpc.ts'
import type { Line } from './evm.ts'
import { getOf, load } from './load.ts'
import { rate } from './node.ts'
import { startProgram } from './peerNodes.ts'

const [atATime, milliseconds, calls] = [16, 1500, 8000]
const address = 'cosmos1cml96vmptgw99syqrrz8az79xer2pcgp95srxm'
const path = `/cosmos/bank/v1beta1/balances/${address}/by_denom?denom=atest`
const method = '/cosmos.bank.v1beta1.Query/Balance'
const message = Buffer.concat([textField(1, address), textField(2, 'atest')])

/** Returns the figures of one fresh server, each after a round that warms up. */
export async function lines(): Promise<Line[]> {
  const node = await startProgram(['rest', 'grpc'])
  const { rest = '', grpc = '' } = node.urls
  using client = new GrpcClient(grpc)
  const overRest = () =>
    load({ url: rest, pid: node.process.pid, requests: [getOf(rest, path)], connections: atATime, milliseconds })
  const overGrpc = () =>
    rate(calls, atATime, async () => {
      const { code, details } = await client.call(method, message)
      if (code !== 0) throw new Error(details)
    })
  try {
    await overRest()
    const { perSecond, micros } = await overRest()
    await overGrpc()
    const beside = Number.isNaN(micros) ? '' : `${Math.round(micros)} µs of processor time each`
    return [
      { name: `REST balance, ${atATime} at a time`, value: Math.round(perSecond), unit: '/s', beside },
      {
        name: `gRPC balance, ${atATime} at a time`,
        value: await overGrpc(),
        unit: '/s',
        beside: 'one connection of grpc-js',
      },
    ]
  } finally {
    node.stop()
  }
}
