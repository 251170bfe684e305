import { execFileSync } from 'node:child_process'
import test from 'ava'
import { fileDescriptor, fileNames, registeredTypeUrls, servedServices } from '../../../src/codec/schema/files.ts'
import {
  fileOfSymbol,
  findEnum,
  findFile,
  findMessage,
  findMethod,
  findService,
  listHttpRoutes,
  listServices,
  messageOfAminoName,
} from '../../../src/codec/schema/lookup.ts'

test('every file has its imports, and every name in it is declared', (t) => {
  for (const name of fileNames) {
    const file = findFile(name)
    t.is(file?.name, name)
    for (const each of file?.imports ?? []) t.truthy(fileDescriptor(each), each)
    for (const { fields } of file?.messages ?? []) {
      for (const { kind, typeName } of fields) {
        if (kind === 'message') t.truthy(findMessage(typeName), typeName)
        if (kind === 'enum') t.truthy(findEnum(typeName), typeName)
      }
    }
    for (const { methods } of file?.services ?? []) {
      for (const { input, output } of methods) t.truthy(findMessage(input) && findMessage(output))
    }
  }
  t.true(fileNames.length > 100)
})

test('every served service and every registered message is known', (t) => {
  t.deepEqual(
    listServices().map(({ name }) => name),
    servedServices,
  )
  t.deepEqual(
    [...registeredTypeUrls()].filter((url) => findMessage(url.slice(1)) === undefined),
    [],
  )
})

test('a method has its request, response and HTTP route', (t) => {
  t.deepEqual(findMethod('/cosmos.bank.v1beta1.Query/Balance'), {
    name: 'Balance',
    input: 'cosmos.bank.v1beta1.QueryBalanceRequest',
    output: 'cosmos.bank.v1beta1.QueryBalanceResponse',
    isClientStreaming: false,
    isServerStreaming: false,
    http: [{ verb: 'GET', path: '/cosmos/bank/v1beta1/balances/{address}/by_denom', body: '' }],
  })
  t.is(findMethod('/cosmos.bank.v1beta1.Query/Nope'), undefined)
  t.is(findMethod('no path'), undefined)
  t.is(findService('cosmos.bank.v1beta1.Msg')?.methods[0]?.name, 'Send')
})

test('routes of served services are listed, with verb and body', (t) => {
  const routes = listHttpRoutes().map(
    ({ verb, path, body, service, method }) => `${verb} ${path} ${body} ${service.name}/${method.name}`,
  )
  const tx = 'cosmos.tx.v1beta1.Service'
  for (const wanted of [
    `POST /cosmos/tx/v1beta1/simulate * ${tx}/Simulate`,
    `GET /cosmos/tx/v1beta1/txs/{hash}  ${tx}/GetTx`,
    'GET /cosmos/bank/v1beta1/denoms_metadata/{denom=**}  cosmos.bank.v1beta1.Query/DenomMetadata',
    'GET /cosmos/evm/vm/v1/storage/{address}/{key}  cosmos.evm.vm.v1.Query/Storage',
    'GET /ibc/apps/transfer/v1/denoms/{hash=**}  ibc.applications.transfer.v1.Query/Denom',
  ])
    t.true(routes.includes(wanted), wanted)
  t.false(routes.some((route) => route.includes('.Msg/')))
})

const symbols: Readonly<Record<string, string | undefined>> = {
  'cosmos.bank.v1beta1.Query': 'cosmos/bank/v1beta1/query.proto',
  'cosmos.bank.v1beta1.Query.Balance': 'cosmos/bank/v1beta1/query.proto',
  '.cosmos.tx.v1beta1.ModeInfo.Multi': 'cosmos/tx/v1beta1/tx.proto',
  'cosmos.evm.crypto.v1.ethsecp256k1.PubKey': 'cosmos/evm/crypto/v1/ethsecp256k1/keys.proto',
  'cosmos.bank.v1beta1.Nope': undefined,
  nope: undefined,
}
for (const [symbol, file] of Object.entries(symbols)) {
  test(`${symbol} is declared in ${file ?? 'no file'}`, (t) => t.is(fileOfSymbol(symbol), file))
}

test('a message is found by its amino name', (t) => {
  t.is(messageOfAminoName('cosmos-sdk/MsgTransfer')?.name, 'ibc.applications.transfer.v1.MsgTransfer')
  t.is(messageOfAminoName('nope'), undefined)
})

test('Go names are those that the SDK prints', (t) => {
  t.is(findMessage('cosmos.gov.v1.MsgVote')?.goName, 'v1.MsgVote')
  t.is(findMessage('cosmos.tx.v1beta1.ModeInfo.Multi')?.goName, 'tx.ModeInfo_Multi')
  t.is(findMessage('google.protobuf.Any')?.goName, 'types.Any')
})

test('the types of messages are those of their descriptors', (t) => {
  t.notThrows(() =>
    execFileSync(process.execPath, ['scripts/buildMessageTypes.mjs', '--check'], {
      stdio: 'pipe',
    }),
  )
})
