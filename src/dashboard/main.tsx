/**
 * The dashboard: an explorer for CometBFT RPC and Ethereum JSON-RPC, and controls for the chain.
 */
import { render } from 'preact'
import { App } from './frame/App.tsx'
import { listenToKeys } from './frame/keys.tsx'
import { followLabels } from './core/labels.ts'
import { listen } from './core/live.ts'

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
listen()
followLabels()
listenToKeys()
