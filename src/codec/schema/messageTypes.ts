/** Types of messages by full name. Written by `scripts/buildMessageTypes.mjs`. */
export type MessageTypes = {
  'cosmos.auth.v1beta1.BaseAccount': {
    readonly address: string
    readonly pubKey?: MessageTypes['google.protobuf.Any'] | undefined
    readonly accountNumber: bigint
    readonly sequence: bigint
  }
  'cosmos.auth.v1beta1.ModuleAccount': {
    readonly baseAccount?: MessageTypes['cosmos.auth.v1beta1.BaseAccount'] | undefined
    readonly name: string
    readonly permissions: readonly string[]
  }
  'cosmos.auth.v1beta1.Params': {
    readonly maxMemoCharacters: bigint
    readonly txSigLimit: bigint
    readonly txSizeCostPerByte: bigint
    readonly sigVerifyCostEd25519: bigint
    readonly sigVerifyCostSecp256k1: bigint
  }
  'cosmos.auth.v1beta1.QueryAccountRequest': {
    readonly address: string
  }
  'cosmos.auth.v1beta1.QueryAccountResponse': {
    readonly account?: MessageTypes['google.protobuf.Any'] | undefined
  }
  'cosmos.auth.v1beta1.QueryModuleAccountsResponse': {
    readonly accounts: readonly MessageTypes['google.protobuf.Any'][]
  }
  'cosmos.auth.v1beta1.QueryParamsResponse': {
    readonly params: MessageTypes['cosmos.auth.v1beta1.Params']
  }
  'cosmos.authz.v1beta1.GrantAuthorization': {
    readonly granter: string
    readonly grantee: string
    readonly authorization?: MessageTypes['google.protobuf.Any'] | undefined
    readonly expiration?: MessageTypes['google.protobuf.Timestamp'] | undefined
  }
  'cosmos.bank.v1beta1.DenomUnit': {
    readonly denom: string
    readonly exponent: number
    readonly aliases: readonly string[]
  }
  'cosmos.bank.v1beta1.Input': {
    readonly address: string
    readonly coins: readonly MessageTypes['cosmos.base.v1beta1.Coin'][]
  }
  'cosmos.bank.v1beta1.Metadata': {
    readonly description: string
    readonly denomUnits: readonly MessageTypes['cosmos.bank.v1beta1.DenomUnit'][]
    readonly base: string
    readonly display: string
    readonly name: string
    readonly symbol: string
    readonly uri: string
    readonly uriHash: string
  }
  'cosmos.bank.v1beta1.MsgMultiSend': {
    readonly inputs: readonly MessageTypes['cosmos.bank.v1beta1.Input'][]
    readonly outputs: readonly MessageTypes['cosmos.bank.v1beta1.Output'][]
  }
  'cosmos.bank.v1beta1.MsgMultiSendResponse': object
  'cosmos.bank.v1beta1.MsgSend': {
    readonly fromAddress: string
    readonly toAddress: string
    readonly amount: readonly MessageTypes['cosmos.base.v1beta1.Coin'][]
  }
  'cosmos.bank.v1beta1.MsgSendResponse': object
  'cosmos.bank.v1beta1.Output': {
    readonly address: string
    readonly coins: readonly MessageTypes['cosmos.base.v1beta1.Coin'][]
  }
  'cosmos.bank.v1beta1.Params': {
    readonly sendEnabled: readonly MessageTypes['cosmos.bank.v1beta1.SendEnabled'][]
    readonly defaultSendEnabled: boolean
  }
  'cosmos.bank.v1beta1.QueryBalanceRequest': {
    readonly address: string
    readonly denom: string
  }
  'cosmos.bank.v1beta1.QueryBalanceResponse': {
    readonly balance?: MessageTypes['cosmos.base.v1beta1.Coin'] | undefined
  }
  'cosmos.bank.v1beta1.QueryDenomMetadataRequest': {
    readonly denom: string
  }
  'cosmos.bank.v1beta1.QueryDenomMetadataResponse': {
    readonly metadata: MessageTypes['cosmos.bank.v1beta1.Metadata']
  }
  'cosmos.bank.v1beta1.QueryParamsResponse': {
    readonly params: MessageTypes['cosmos.bank.v1beta1.Params']
  }
  'cosmos.bank.v1beta1.QuerySupplyOfRequest': {
    readonly denom: string
  }
  'cosmos.bank.v1beta1.QuerySupplyOfResponse': {
    readonly amount: MessageTypes['cosmos.base.v1beta1.Coin']
  }
  'cosmos.bank.v1beta1.SendEnabled': {
    readonly denom: string
    readonly enabled: boolean
  }
  'cosmos.base.abci.v1beta1.ABCIMessageLog': {
    readonly msgIndex: number
    readonly log: string
    readonly events: readonly MessageTypes['cosmos.base.abci.v1beta1.StringEvent'][]
  }
  'cosmos.base.abci.v1beta1.Attribute': {
    readonly key: string
    readonly value: string
  }
  'cosmos.base.abci.v1beta1.GasInfo': {
    readonly gasWanted: bigint
    readonly gasUsed: bigint
  }
  'cosmos.base.abci.v1beta1.MsgData': {
    readonly msgType: string
    readonly data: Uint8Array
  }
  'cosmos.base.abci.v1beta1.Result': {
    readonly data: Uint8Array
    readonly log: string
    readonly events: readonly MessageTypes['tendermint.abci.Event'][]
    readonly msgResponses: readonly MessageTypes['google.protobuf.Any'][]
  }
  'cosmos.base.abci.v1beta1.StringEvent': {
    readonly type: string
    readonly attributes: readonly MessageTypes['cosmos.base.abci.v1beta1.Attribute'][]
  }
  'cosmos.base.abci.v1beta1.TxMsgData': {
    readonly data: readonly MessageTypes['cosmos.base.abci.v1beta1.MsgData'][]
    readonly msgResponses: readonly MessageTypes['google.protobuf.Any'][]
  }
  'cosmos.base.abci.v1beta1.TxResponse': {
    readonly height: bigint
    readonly txhash: string
    readonly codespace: string
    readonly code: number
    readonly data: string
    readonly rawLog: string
    readonly logs: readonly MessageTypes['cosmos.base.abci.v1beta1.ABCIMessageLog'][]
    readonly info: string
    readonly gasWanted: bigint
    readonly gasUsed: bigint
    readonly tx?: MessageTypes['google.protobuf.Any'] | undefined
    readonly timestamp: string
    readonly events: readonly MessageTypes['tendermint.abci.Event'][]
  }
  'cosmos.base.v1beta1.Coin': {
    readonly denom: string
    readonly amount: string
  }
  'cosmos.crypto.ed25519.PubKey': {
    readonly key: Uint8Array
  }
  'cosmos.crypto.multisig.LegacyAminoPubKey': {
    readonly threshold: number
    readonly publicKeys: readonly MessageTypes['google.protobuf.Any'][]
  }
  'cosmos.crypto.multisig.v1beta1.CompactBitArray': {
    readonly extraBitsStored: number
    readonly elems: Uint8Array
  }
  'cosmos.crypto.multisig.v1beta1.MultiSignature': {
    readonly signatures: readonly Uint8Array[]
  }
  'cosmos.crypto.secp256k1.PubKey': {
    readonly key: Uint8Array
  }
  'cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward': {
    readonly delegatorAddress: string
    readonly validatorAddress: string
  }
  'cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx': {
    readonly maxPriorityPrice: string
  }
  'cosmos.evm.crypto.v1.ethsecp256k1.PubKey': {
    readonly key: Uint8Array
  }
  'cosmos.evm.feemarket.v1.Params': {
    readonly noBaseFee: boolean
    readonly baseFeeChangeDenominator: number
    readonly elasticityMultiplier: number
    readonly enableHeight: bigint
    readonly baseFee: string
    readonly minGasPrice: string
    readonly minGasMultiplier: string
  }
  'cosmos.evm.feemarket.v1.QueryBaseFeeResponse': {
    readonly baseFee?: string | undefined
  }
  'cosmos.evm.feemarket.v1.QueryBlockGasResponse': {
    readonly gas: bigint
  }
  'cosmos.evm.feemarket.v1.QueryParamsResponse': {
    readonly params: MessageTypes['cosmos.evm.feemarket.v1.Params']
  }
  'cosmos.evm.vm.v1.AccessControl': {
    readonly create: MessageTypes['cosmos.evm.vm.v1.AccessControlType']
    readonly call: MessageTypes['cosmos.evm.vm.v1.AccessControlType']
  }
  'cosmos.evm.vm.v1.AccessControlType': {
    readonly accessType: number
    readonly accessControlList: readonly string[]
  }
  'cosmos.evm.vm.v1.ChainConfig': {
    readonly homesteadBlock?: string | undefined
    readonly daoForkBlock?: string | undefined
    readonly daoForkSupport: boolean
    readonly eip150Block?: string | undefined
    readonly eip155Block?: string | undefined
    readonly eip158Block?: string | undefined
    readonly byzantiumBlock?: string | undefined
    readonly constantinopleBlock?: string | undefined
    readonly petersburgBlock?: string | undefined
    readonly istanbulBlock?: string | undefined
    readonly muirGlacierBlock?: string | undefined
    readonly berlinBlock?: string | undefined
    readonly londonBlock?: string | undefined
    readonly arrowGlacierBlock?: string | undefined
    readonly grayGlacierBlock?: string | undefined
    readonly mergeNetsplitBlock?: string | undefined
    readonly chainId: bigint
    readonly denom: string
    readonly decimals: bigint
    readonly shanghaiTime?: string | undefined
    readonly cancunTime?: string | undefined
    readonly pragueTime?: string | undefined
    readonly verkleTime?: string | undefined
    readonly osakaTime?: string | undefined
  }
  'cosmos.evm.vm.v1.EstimateGasResponse': {
    readonly gas: bigint
    readonly ret: Uint8Array
    readonly vmError: string
  }
  'cosmos.evm.vm.v1.EthCallRequest': {
    readonly args: Uint8Array
    readonly gasCap: bigint
    readonly proposerAddress: Uint8Array
    readonly chainId: bigint
    readonly overrides: Uint8Array
  }
  'cosmos.evm.vm.v1.EvmCoinInfo': {
    readonly denom: string
    readonly extendedDenom: string
    readonly displayDenom: string
    readonly decimals: number
  }
  'cosmos.evm.vm.v1.ExtendedDenomOptions': {
    readonly extendedDenom: string
  }
  'cosmos.evm.vm.v1.Log': {
    readonly address: string
    readonly topics: readonly string[]
    readonly data: Uint8Array
    readonly blockNumber: bigint
    readonly txHash: string
    readonly txIndex: bigint
    readonly blockHash: string
    readonly index: bigint
    readonly removed: boolean
    readonly blockTimestamp: bigint
  }
  'cosmos.evm.vm.v1.MsgEthereumTx': {
    readonly from: Uint8Array
    readonly raw: Uint8Array
  }
  'cosmos.evm.vm.v1.MsgEthereumTxResponse': {
    readonly hash: string
    readonly logs: readonly MessageTypes['cosmos.evm.vm.v1.Log'][]
    readonly ret: Uint8Array
    readonly vmError: string
    readonly gasUsed: bigint
    readonly maxUsedGas: bigint
    readonly blockHash: Uint8Array
    readonly blockTimestamp: bigint
  }
  'cosmos.evm.vm.v1.Params': {
    readonly evmDenom: string
    readonly extraEips: readonly bigint[]
    readonly evmChannels: readonly string[]
    readonly accessControl: MessageTypes['cosmos.evm.vm.v1.AccessControl']
    readonly activeStaticPrecompiles: readonly string[]
    readonly historyServeWindow: bigint
    readonly extendedDenomOptions?: MessageTypes['cosmos.evm.vm.v1.ExtendedDenomOptions'] | undefined
  }
  'cosmos.evm.vm.v1.QueryAccountRequest': {
    readonly address: string
  }
  'cosmos.evm.vm.v1.QueryAccountResponse': {
    readonly balance: string
    readonly codeHash: string
    readonly nonce: bigint
  }
  'cosmos.evm.vm.v1.QueryBalanceResponse': {
    readonly balance: string
  }
  'cosmos.evm.vm.v1.QueryBaseFeeResponse': {
    readonly baseFee?: string | undefined
  }
  'cosmos.evm.vm.v1.QueryCodeResponse': {
    readonly code: Uint8Array
  }
  'cosmos.evm.vm.v1.QueryConfigResponse': {
    readonly config?: MessageTypes['cosmos.evm.vm.v1.ChainConfig'] | undefined
  }
  'cosmos.evm.vm.v1.QueryCosmosAccountResponse': {
    readonly cosmosAddress: string
    readonly sequence: bigint
    readonly accountNumber: bigint
  }
  'cosmos.evm.vm.v1.QueryGlobalMinGasPriceResponse': {
    readonly minGasPrice: string
  }
  'cosmos.evm.vm.v1.QueryParamsResponse': {
    readonly params: MessageTypes['cosmos.evm.vm.v1.Params']
  }
  'cosmos.evm.vm.v1.QueryStorageRequest': {
    readonly address: string
    readonly key: string
  }
  'cosmos.evm.vm.v1.QueryStorageResponse': {
    readonly value: string
  }
  'cosmos.evm.vm.v1.QueryTraceBlockRequest': {
    readonly txs: readonly MessageTypes['cosmos.evm.vm.v1.MsgEthereumTx'][]
    readonly traceConfig?: MessageTypes['cosmos.evm.vm.v1.TraceConfig'] | undefined
    readonly blockNumber: bigint
    readonly blockHash: string
    readonly blockTime: MessageTypes['google.protobuf.Timestamp']
    readonly proposerAddress: Uint8Array
    readonly chainId: bigint
    readonly blockMaxGas: bigint
  }
  'cosmos.evm.vm.v1.QueryTraceCallRequest': {
    readonly args: Uint8Array
    readonly gasCap: bigint
    readonly proposerAddress: Uint8Array
    readonly traceConfig?: MessageTypes['cosmos.evm.vm.v1.TraceConfig'] | undefined
    readonly blockNumber: bigint
    readonly blockHash: string
    readonly blockTime: MessageTypes['google.protobuf.Timestamp']
    readonly chainId: bigint
  }
  'cosmos.evm.vm.v1.QueryTraceTxRequest': {
    readonly msg?: MessageTypes['cosmos.evm.vm.v1.MsgEthereumTx'] | undefined
    readonly traceConfig?: MessageTypes['cosmos.evm.vm.v1.TraceConfig'] | undefined
    readonly predecessors: readonly MessageTypes['cosmos.evm.vm.v1.MsgEthereumTx'][]
    readonly blockNumber: bigint
    readonly blockHash: string
    readonly blockTime: MessageTypes['google.protobuf.Timestamp']
    readonly proposerAddress: Uint8Array
    readonly chainId: bigint
    readonly blockMaxGas: bigint
  }
  'cosmos.evm.vm.v1.QueryTraceTxResponse': {
    readonly data: Uint8Array
  }
  'cosmos.evm.vm.v1.QueryValidatorAccountRequest': {
    readonly consAddress: string
  }
  'cosmos.evm.vm.v1.QueryValidatorAccountResponse': {
    readonly accountAddress: string
    readonly sequence: bigint
    readonly accountNumber: bigint
  }
  'cosmos.evm.vm.v1.TraceConfig': {
    readonly tracer: string
    readonly timeout: string
    readonly reexec: bigint
    readonly disableStack: boolean
    readonly disableStorage: boolean
    readonly debug: boolean
    readonly limit: number
    readonly overrides?: MessageTypes['cosmos.evm.vm.v1.ChainConfig'] | undefined
    readonly enableMemory: boolean
    readonly enableReturnData: boolean
    readonly tracerJsonConfig: string
  }
  'cosmos.gov.v1beta1.MsgVote': {
    readonly proposalId: bigint
    readonly voter: string
    readonly option: number
  }
  'cosmos.staking.v1beta1.MsgBeginRedelegate': {
    readonly delegatorAddress: string
    readonly validatorSrcAddress: string
    readonly validatorDstAddress: string
    readonly amount: MessageTypes['cosmos.base.v1beta1.Coin']
  }
  'cosmos.staking.v1beta1.MsgDelegate': {
    readonly delegatorAddress: string
    readonly validatorAddress: string
    readonly amount: MessageTypes['cosmos.base.v1beta1.Coin']
  }
  'cosmos.staking.v1beta1.MsgUndelegate': {
    readonly delegatorAddress: string
    readonly validatorAddress: string
    readonly amount: MessageTypes['cosmos.base.v1beta1.Coin']
  }
  'cosmos.staking.v1beta1.Params': {
    readonly unbondingTime: MessageTypes['google.protobuf.Duration']
    readonly maxValidators: number
    readonly maxEntries: number
    readonly historicalEntries: number
    readonly bondDenom: string
    readonly minCommissionRate: string
  }
  'cosmos.staking.v1beta1.QueryParamsResponse': {
    readonly params: MessageTypes['cosmos.staking.v1beta1.Params']
  }
  'cosmos.tx.v1beta1.AuthInfo': {
    readonly signerInfos: readonly MessageTypes['cosmos.tx.v1beta1.SignerInfo'][]
    readonly fee?: MessageTypes['cosmos.tx.v1beta1.Fee'] | undefined
    readonly tip?: MessageTypes['cosmos.tx.v1beta1.Tip'] | undefined
  }
  'cosmos.tx.v1beta1.BroadcastTxRequest': {
    readonly txBytes: Uint8Array
    readonly mode: number
  }
  'cosmos.tx.v1beta1.BroadcastTxResponse': {
    readonly txResponse?: MessageTypes['cosmos.base.abci.v1beta1.TxResponse'] | undefined
  }
  'cosmos.tx.v1beta1.Fee': {
    readonly amount: readonly MessageTypes['cosmos.base.v1beta1.Coin'][]
    readonly gasLimit: bigint
    readonly payer: string
    readonly granter: string
  }
  'cosmos.tx.v1beta1.ModeInfo': {
    readonly single?: MessageTypes['cosmos.tx.v1beta1.ModeInfo.Single'] | undefined
    readonly multi?: MessageTypes['cosmos.tx.v1beta1.ModeInfo.Multi'] | undefined
  }
  'cosmos.tx.v1beta1.ModeInfo.Multi': {
    readonly bitarray?: MessageTypes['cosmos.crypto.multisig.v1beta1.CompactBitArray'] | undefined
    readonly modeInfos: readonly MessageTypes['cosmos.tx.v1beta1.ModeInfo'][]
  }
  'cosmos.tx.v1beta1.ModeInfo.Single': {
    readonly mode: number
  }
  'cosmos.tx.v1beta1.SignDoc': {
    readonly bodyBytes: Uint8Array
    readonly authInfoBytes: Uint8Array
    readonly chainId: string
    readonly accountNumber: bigint
  }
  'cosmos.tx.v1beta1.SignDocDirectAux': {
    readonly bodyBytes: Uint8Array
    readonly publicKey?: MessageTypes['google.protobuf.Any'] | undefined
    readonly chainId: string
    readonly accountNumber: bigint
    readonly sequence: bigint
    readonly tip?: MessageTypes['cosmos.tx.v1beta1.Tip'] | undefined
  }
  'cosmos.tx.v1beta1.SignerInfo': {
    readonly publicKey?: MessageTypes['google.protobuf.Any'] | undefined
    readonly modeInfo?: MessageTypes['cosmos.tx.v1beta1.ModeInfo'] | undefined
    readonly sequence: bigint
  }
  'cosmos.tx.v1beta1.SimulateRequest': {
    readonly tx?: MessageTypes['cosmos.tx.v1beta1.Tx'] | undefined
    readonly txBytes: Uint8Array
  }
  'cosmos.tx.v1beta1.SimulateResponse': {
    readonly gasInfo?: MessageTypes['cosmos.base.abci.v1beta1.GasInfo'] | undefined
    readonly result?: MessageTypes['cosmos.base.abci.v1beta1.Result'] | undefined
  }
  'cosmos.tx.v1beta1.Tip': {
    readonly amount: readonly MessageTypes['cosmos.base.v1beta1.Coin'][]
    readonly tipper: string
  }
  'cosmos.tx.v1beta1.Tx': {
    readonly body?: MessageTypes['cosmos.tx.v1beta1.TxBody'] | undefined
    readonly authInfo?: MessageTypes['cosmos.tx.v1beta1.AuthInfo'] | undefined
    readonly signatures: readonly Uint8Array[]
  }
  'cosmos.tx.v1beta1.TxBody': {
    readonly messages: readonly MessageTypes['google.protobuf.Any'][]
    readonly memo: string
    readonly timeoutHeight: bigint
    readonly unordered: boolean
    readonly timeoutTimestamp?: MessageTypes['google.protobuf.Timestamp'] | undefined
    readonly extensionOptions: readonly MessageTypes['google.protobuf.Any'][]
    readonly nonCriticalExtensionOptions: readonly MessageTypes['google.protobuf.Any'][]
  }
  'cosmos.tx.v1beta1.TxRaw': {
    readonly bodyBytes: Uint8Array
    readonly authInfoBytes: Uint8Array
    readonly signatures: readonly Uint8Array[]
  }
  'google.protobuf.Any': {
    readonly typeUrl: string
    readonly value: Uint8Array
  }
  'google.protobuf.Duration': {
    readonly seconds: bigint
    readonly nanos: number
  }
  'google.protobuf.Timestamp': {
    readonly seconds: bigint
    readonly nanos: number
  }
  'tendermint.abci.Event': {
    readonly type: string
    readonly attributes: readonly MessageTypes['tendermint.abci.EventAttribute'][]
  }
  'tendermint.abci.EventAttribute': {
    readonly key: string
    readonly value: string
    readonly index: boolean
  }
}
