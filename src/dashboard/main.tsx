/** The dashboard: an explorer of both interfaces, and the controls of the stage. */
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
