/**
 * ethers over a WebSocket: listening, leaving, listening again, two filters, waiting for receipts.
 */
import {
  Contract,
  ContractFactory,
  JsonRpcProvider,
  NonceManager,
  Wallet,
  WebSocketProvider,
  type BaseContract,
} from 'ethers'
import { fresh, keys, plain, sleep, token, whyOf, type Where } from './stage.ts'

type Token = BaseContract & {
  readonly transfer: (
    to: string,
    value: bigint,
    options: object,
  ) => Promise<{
    wait: () => Promise<unknown>
  }>
}

export async function ethersSockets({ eth, ethWs }: Where): Promise<unknown> {
  const live = new WebSocketProvider(ethWs)
  const polling = new JsonRpcProvider(eth, undefined, { pollingInterval: 150, batchMaxCount: 5 })
  const signer = new NonceManager(new Wallet(keys[1], live))
  const options = {
    gasLimit: 900_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  }
  const deployed = await new ContractFactory(token.abi as [], token.bytecode, signer).deploy(5000n, options)
  await deployed.waitForDeployment()
  const address = await deployed.getAddress()
  const contract = new Contract(address, token.abi as [], signer) as unknown as Token
  const [heads, again, moved, toOne]: [number[], number[], string[], string[]] = [[], [], [], []]
  await live.on('block', (height: number) => {
    heads.push(height)
  })
  await contract.on('Transfer', (_: string, to: string, value: bigint) => {
    moved.push(`${to.slice(-2)} ${value}`)
  })
  const transfer = contract.filters['Transfer']
  const polled = new Contract(address, token.abi as [], polling)
  const onlyOne = transfer?.(null, fresh(0xb1)) ?? ''
  await polled.on(onlyOne, ({ log }: { log: { blockNumber: number } }) => {
    toOne.push(String(log.blockNumber > 0))
  })
  await sleep(400)
  await (await contract.transfer(fresh(0xb1), 7n, options)).wait()
  await live.removeAllListeners('block')
  await (await contract.transfer(fresh(0xb2), 8n, options)).wait()
  await live.on('block', (height: number) => {
    again.push(height)
  })
  await sleep(1600)
  await contract.removeAllListeners()
  await polled.removeAllListeners()
  const found = await polled.queryFilter('Transfer', 0, 'latest')
  const failed = await whyOf(contract.transfer(fresh(0xb1), 10n ** 20n, { ...options, gasLimit: undefined }))
  const [fee, block] = await Promise.all([polling.getFeeData(), polling.getBlock('latest', true)])
  await live.destroy()
  polling.destroy()
  const rises = (list: readonly number[]) =>
    list.length > 0 && list.every((one, at) => at === 0 || one === (list[at - 1] ?? 0) + 1)
  return plain({
    address,
    moved,
    toOne,
    rises: [rises(heads), rises(again)],
    found: found.length,
    failed,
    fee: fee.maxPriorityFeePerGas,
    hasBlock: block !== null,
  })
}
