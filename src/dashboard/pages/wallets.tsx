/** Adds this chain to a browser wallet. */
import { get } from '../core/api.ts'
import { run } from '../core/said.ts'

type Info = { readonly chainId: string; readonly chainName: string }
type EthereumWallet = { readonly request: (asked: { method: string; params: readonly Info[] }) => Promise<unknown> }
type Announced = CustomEvent<{ readonly info: { readonly rdns: string }; readonly provider: EthereumWallet }>
type Wallets = {
  readonly keplr?: {
    readonly experimentalSuggestChain: (info: Info) => Promise<void>
    readonly enable: (chainId: string) => Promise<void>
  }
  readonly ethereum?: EthereumWallet
}
const wallets = window as unknown as Wallets

const missing = (name: string) =>
  new Error(`${name} is not installed in this browser. Install its extension and reload the page.`)

async function addToKeplr(): Promise<Info> {
  const { keplr } = wallets
  if (keplr === undefined) throw missing('Keplr')
  const info = await get<Info>('/chain-info?format=keplr')
  await keplr.experimentalSuggestChain(info)
  await keplr.enable(info.chainId)
  return info
}

/**
 * Returns MetaMask by the name under which it announces itself (EIP-6963), because another wallet may have
 * taken `window.ethereum`; where MetaMask is not announced, whoever is there.
 */
function metaMask(): EthereumWallet | undefined {
  let found = wallets.ethereum
  const heard = (event: Event) => {
    const { info, provider } = (event as Announced).detail
    if (info.rdns === 'io.metamask') found = provider
  }
  window.addEventListener('eip6963:announceProvider', heard)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  window.removeEventListener('eip6963:announceProvider', heard)
  return found
}

async function addToMetaMask(): Promise<Info> {
  const ethereum = metaMask()
  if (ethereum === undefined) throw missing('MetaMask')
  const info = await get<Info>('/chain-info?format=metamask')
  await ethereum.request({ method: 'wallet_addEthereumChain', params: [info] })
  return info
}

/**
 * Buttons that add the chain to a wallet; if the wallet is missing, pressing its button says so.
 */
export function WalletButtons() {
  const adding = (name: string, add: () => Promise<Info>) => (
    <button
      type="button"
      data-key={`add-${name.toLowerCase()}`}
      onClick={() => void run(add(), ({ chainName }) => `Added ${chainName} to ${name}.`)}
    >
      Add to {name}
    </button>
  )
  return (
    <div class="formrow">
      {adding('Keplr', addToKeplr)}
      {adding('MetaMask', addToMetaMask)}
    </div>
  )
}
