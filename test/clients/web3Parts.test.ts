/** What the other parts of web3 ask of a node: contracts, `net`, `personal`, batches. */
import { eventually } from '../helpers/server.ts'
import { absent, alice, bob, contractOf, methodsOf, overBoth, transferOne, type Act } from '../helpers/web3Stage.ts'

const local = 'it asks nothing of the node'

const netActs: Readonly<Record<string, Act | string>> = {
  constructor: local,
  getId: async (t, { web3 }) => {
    t.is(await web3.eth.net.getId(), 31337n)
  },
  getPeerCount: async (t, { web3 }) => {
    t.is(await web3.eth.net.getPeerCount(), 0n)
  },
  isListening: async (t, { web3 }) => {
    t.true(await web3.eth.net.isListening())
  },
}

const personalActs: Readonly<Record<string, Act | string>> = {
  constructor: local,
  signTransaction: absent(({ web3 }) =>
    web3.eth.personal.signTransaction({ from: bob, to: alice, gas: '0x5208', gasPrice: '0x1' }, ''),
  ),
  getAccounts: async (t, { web3 }) => {
    t.is((await web3.eth.personal.getAccounts())[0], alice)
  },
  newAccount: async (t, { web3 }) => {
    const made = await web3.eth.personal.newAccount('a word')
    t.true((await web3.eth.getAccounts()).includes(made))
  },
  importRawKey: async (t, { web3 }) => {
    const made = await web3.eth.personal.importRawKey('42'.repeat(32), 'a word')
    const { address } = web3.eth.accounts.privateKeyToAccount(`0x${'42'.repeat(32)}`)
    t.is(made, address.toLowerCase())
  },
  unlockAccount: async (t, { web3 }) => {
    t.is(typeof (await web3.eth.personal.unlockAccount(bob, '', 60)), 'boolean')
  },
  lockAccount: async (t, { web3 }) => {
    t.is(typeof (await web3.eth.personal.lockAccount(bob)), 'boolean')
  },
  sendTransaction: async (t, { web3 }) => {
    const hash = await web3.eth.personal.sendTransaction({ from: bob, to: alice, value: '0x1' }, '')
    t.is((await web3.eth.getTransactionReceipt(hash)).status, 1n)
  },
  sign: async (t, { web3 }) => {
    const signature = await web3.eth.personal.sign(web3.utils.utf8ToHex('hi'), bob, '')
    const by = await web3.eth.personal.ecRecover(web3.utils.utf8ToHex('hi'), signature)
    t.is(by, bob.toLowerCase())
  },
  ecRecover: 'with sign',
}

/** Of a contract; its other members name its functions and events. */
const contractActs: Readonly<Record<string, Act>> = {
  call: async (t, stage) => {
    t.true((await contractOf(stage).methods.balanceOf(bob).call<bigint>()) >= 5n)
  },
  estimateGas: async (t, stage) => {
    const gas = await contractOf(stage).methods.transfer(bob, 1).estimateGas({ from: alice })
    t.true(gas > 21_000n)
  },
  getPastEvents: async (t, stage) => {
    const { block, hash } = stage
    const found = await contractOf(stage).getPastEvents('Transfer', {
      fromBlock: block,
      toBlock: block,
    })
    t.like(found, [{ transactionHash: hash, returnValues: { to: bob, amount: 5n } }])
  },
  events: async (t, stage) => {
    if (stage.kind === 'http') {
      t.pass('HTTP pushes nothing')
      return
    }
    const heard: unknown[] = []
    const events = contractOf(stage).events.Transfer({ filter: { to: bob } })
    events.on('data', ({ transactionHash }) => {
      heard.push(transactionHash)
    })
    await eventually(() => stage.server.simulation().node.subscriptions.eth.size === 1)
    const hash = await transferOne(stage)
    await eventually(() => heard.length > 0)
    t.deepEqual(heard, [hash])
    await events.unsubscribe()
  },
  batch: async (t, { web3, blockHash }) => {
    const batch = new web3.BatchRequest()
    const [id, block] = [
      batch.add<string>({ method: 'eth_chainId', params: [] }),
      batch.add<{ hash: string }>({ method: 'eth_getBlockByHash', params: [blockHash, false] }),
    ]
    await batch.execute()
    t.deepEqual([await id, (await block).hash], ['0x7a69', blockHash])
  },
}

overBoth({ net: netActs, personal: personalActs, contract: contractActs }, (t, { web3 }) => {
  t.deepEqual(Object.keys(netActs).sort(), methodsOf(web3.eth.net))
  t.deepEqual(Object.keys(personalActs).sort(), methodsOf(web3.eth.personal))
})
