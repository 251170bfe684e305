import { decodeEthTx, encodeEthTx, signingPayload } from '../../codec/ethTx.ts'
import { hexOf } from '../../codec/hex.ts'
import { keccak256 } from '../../crypto/hash.ts'
import type { NodeCommand } from '../../node/command.ts'
import { owner } from '../exampleCalls.ts'
import { action, param, type Context } from '../method.ts'
import { submittedHash } from './broadcast.ts'
import { serverError } from './errors.ts'
import { fillTx } from './fill.ts'
import { chainIdOf, ethereumOf } from './lookup.ts'
import { optionalBig, optionalUint64 } from './params.ts'
import { waitingTxs } from './pool.ts'
import { bytesResult } from './results.ts'
import { sendAsNode } from './sendAsNode.ts'
import { txArgs, type TxArgs } from '../../app/txArgs.ts'

const legacyTx = { from: owner, to: owner, gas: '0x5208', gasPrice: '0x77359400', nonce: '0x0' }

export const eth_resend = action({
  name: 'eth_resend',
  summary: 'Replaces a pending transaction of a node account with one that has a different gas price or gas limit.',
  spec: 'cosmos-evm-rpc.md §2.3',
  params: [
    param('transaction', txArgs),
    param('gasPrice', optionalBig, undefined),
    param('gas', optionalUint64, undefined),
  ],
  result: bytesResult,
  traits: ['usesAccounts', 'submits'],
  examples: [
    {
      before: [
        ['evm_setAutomine', false],
        ['eth_sendTransaction', legacyTx],
      ],
      params: [legacyTx, '0xb2d05e00'],
      result: '…',
    },
  ],
  command: (context, [args, gasPrice, gas]) => resend(context, args, { gasPrice, gas }),
  reply: (_context, outcome) => submittedHash(outcome, ''),
})

type Change = { readonly gasPrice: bigint | undefined; readonly gas: bigint | undefined }

function resend(context: Context, args: TxArgs, { gasPrice, gas }: Change): NodeCommand {
  if (args.nonce === undefined) throw serverError('missing transaction nonce in transaction spec')
  const old = fillTx(context, args)
  const payload = hexOf(signingPayload(old, chainIdOf(context)))
  checkFee(context, gasPrice ?? args.gasPrice ?? args.maxFeePerGas ?? 0n, gas ?? old.gas)
  const isWaiting = waitingTxs(context).some(({ tx }) =>
    ethereumOf(context)
      .unwrap(tx)
      .some(({ raw }) => hexOf(signingPayload(decodeEthTx(raw), chainIdOf(context))) === payload),
  )
  if (!isWaiting) throw serverError(`transaction ${hexOf(keccak256(encodeEthTx(old)))} not found`)
  return sendAsNode(context, { ...args, gas: gas ?? args.gas, gasPrice: gasPrice ?? args.gasPrice })
}

function checkFee({ node }: Context, price: bigint, gas: bigint): void {
  const cap = node.settings.txFeeCap
  const fee = Number(price * gas) / 1e18
  if (cap === 0 || fee <= cap) return
  throw serverError(`tx fee (${fee.toFixed(2)} ether) exceeds the configured cap (${cap.toFixed(2)} ether)`)
}
