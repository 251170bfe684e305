/** Actions that send transactions. */
import { compileCosmosTx, compileDeploy, compileSend } from '../compileTx.ts'
import { cosmosTx, deploy, sendTx } from '../txSchema.ts'
import { describedAction } from './descriptor.ts'

export const transactionActions = {
  sendTx: describedAction({
    schema: sendTx,
    keys: {
      sendTx:
        "Sends an Ethereum transaction of a named account. Example: { from: '@alice', to: '@bob', value: '1 evm' }.",
      'sendTx.data': "Call data as 0x hex. Use call to encode a function instead. Example: '0xa9059cbb'.",
      'sendTx.call':
        "Function of a contract to call. Example: { contract: 'demo', fn: 'transfer', args: ['@bob', '5 evm'] }.",
      fn: "Function by name or signature. Example: 'transfer(address,uint256)'.",
      gas: 'Gas limit. Default: an estimate. Example: 21000.',
      gasPrice: "Gas price of a legacy transaction. Example: '2 gwei'.",
      maxFeePerGas: "Highest fee per gas, or a multiple of the base fee. Example: '3 gwei' or 'x2'.",
      maxPriorityFeePerGas: "Tip per gas. Example: '1 gwei'.",
      as: "Name for later steps, as in ${tx.NAME.hash}. Example: 'payment'.",
      allowRevert: 'Continues if the transaction reverts. Default: false. Example: true.',
    },
    compile: compileSend,
  }),
  deploy: describedAction({
    schema: deploy,
    keys: {
      'txs.deploy': "Deploys a contract. Example: { artifact: './Demo.json', from: '@alice' }.",
      deploy: "Deploys a contract. Example: { artifact: './Demo.json', from: '@alice', as: 'demo' }.",
      bytecode: "Creation code as 0x hex, instead of an artifact. Example: '0x60006000fd'.",
      types: "Types of the constructor arguments. Example: 'string,uint256'.",
    },
    compile: compileDeploy,
  }),
  cosmosTx: describedAction({
    schema: cosmosTx,
    keys: {
      cosmosTx:
        'Sends a Cosmos transaction of a named account. ' +
        "Example: { from: '@alice', messages: [{ send: { to: '@bob', amount: '1000atest' } }] }.",
      messages: "Messages of the transaction. Example: [{ send: { to: '@bob', amount: '1000atest' } }].",
      send: "Sends coins (bank MsgSend). Example: { to: '@bob', amount: '1000atest' }.",
      amount: "Coins. Example: '1000atest'.",
      delegate: "Delegates stake to a validator. Example: { validator: 'valA', amount: '1000atest' }.",
      undelegate: "Undelegates stake from a validator. Example: { validator: 'valA', amount: '1000atest' }.",
      redelegate:
        "Moves stake from one validator to another. Example: { from: 'valA', to: 'valB', amount: '1000atest' }.",
      'redelegate.from': "Validator that loses the stake. Example: 'valA'.",
      'redelegate.to': "Validator that gains the stake. Example: 'valB'.",
      withdrawRewards: "Withdraws rewards from a validator. Example: { validator: 'valA' }.",
      vote: "Votes on a proposal. Example: { proposal: 1, option: 'yes' }.",
      proposal: 'Number of the proposal. Example: 1.',
      option: "yes, abstain, no or noWithVeto. Example: 'yes'.",
      raw: "Any other message, encoded. Example: { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: '0x0a00' }.",
      typeUrl: "Type URL. Example: '/cosmos.bank.v1beta1.MsgSend'.",
      'raw.value': "Encoded message as 0x hex. Example: '0x0a00'.",
      fee: "Fee of the transaction. Example: '200000atest'. Default: gas times the gas price.",
      memo: "Memo of the transaction. Example: 'order 17'.",
      sequence: 'Sequence of the sender. Default: its next one. Example: 7.',
      broadcast:
        'async, sync or commit; the response is the result of the step, and commit waits for the block. ' +
        "Example: 'commit'.",
    },
    compile: compileCosmosTx,
  }),
}
