/** The profiles of design §3, each as its differences from the documented defaults. */
import { defaultSettings, type Settings } from './settings.ts'

const differences: Readonly<Record<Settings['profile'], Partial<Settings>>> = {
  local: {
    evmChainId: 31_337,
    chainId: 'chainstage-1',
    blocks: 'auto',
    lazy: false,
    time: 'logical',
    corsAllowedOrigins: ['*'],
    apiEnable: true,
    apiUnsafeCors: true,
    ethApi: ['eth', 'web3', 'net', 'txpool', 'debug', 'personal', 'dev'],
    gasCap: 50_000_000,
    mempoolMaxTxs: 0,
    pruning: 'nothing',
  },
  evmd: {
    ethApi: ['eth', 'txpool', 'personal', 'net', 'debug', 'web3', 'miner'],
    gasCap: 25_000_000,
    evmTimeout: '5s',
    broadcastCommitTimeout: '5s',
    quirks: ['faithful'],
    apiEnable: true,
    moniker: 'localtestnet',
    pruning: 'nothing',
    timeoutPropose: '2s',
    timeoutPrecommit: '500ms',
  },
  documented: { maxOpenConnections: 0, abciInfo: 'documented' },
}

/** Returns the settings of a profile: `local`, `evmd` or `documented`. */
export function profileSettings(name: Settings['profile']): Settings {
  return { ...defaultSettings(), ...differences[name], profile: name }
}
