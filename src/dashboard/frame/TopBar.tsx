/** The top bar: the chain's status, search, session and theme. */
import { session } from '../core/api.ts'
import { gwei, moment, number } from '../core/format.ts'
import { link, status } from '../core/live.ts'
import { switchTheme, theme } from '../core/theme.ts'
import { useData } from '../core/useData.ts'
import { openKeys } from './keys.tsx'
import { isMenuOpen } from './Nav.tsx'
import { newSession } from '../pages/more.tsx'
import { Search } from './Search.tsx'

export function TopBar() {
  const now = status.value
  const facts: readonly (readonly [string, string])[] =
    now === undefined
      ? []
      : [
          ['Height', number(now.height)],
          ['Block time', moment(now.blockTime)],
          ['Mining', now.blocks.mode],
          ['Chain', `${now.chainId} · ${now.evmChainId}`],
          ...(now.coin === null ? [] : ([['Gas price', `${gwei(now.coin.gasPrice)} gwei`]] as const)),
          ['Scenario', now.scenario.name],
        ]
  return (
    <header id="top">
      <button
        type="button"
        class="quiet menu"
        aria-expanded={isMenuOpen.value}
        aria-controls="panels"
        onClick={() => {
          isMenuOpen.value = !isMenuOpen.value
        }}
      >
        ☰ <span class="hidden">Menu</span>
      </button>
      <a class="brand" href="#/overview">
        <span class="mark" aria-hidden="true" />
        chainstage
      </a>
      <Search />
      <dl id="facts" aria-label="Chain status">
        {facts.map(([name, value]) => (
          <div key={name} class={`fact ${name.toLowerCase().replace(' ', '')}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="group">
        <Sessions />
        <span id="link" class={`pill ${{ connecting: '', live: 'good', lost: 'bad' }[link.value]}`}>
          {{ connecting: 'connecting', live: 'live', lost: 'disconnected' }[link.value]}
        </span>
        <button
          type="button"
          class="quiet"
          id="theme"
          onClick={switchTheme}
          aria-label={`Switch to the ${theme.value === 'dark' ? 'light' : 'dark'} theme`}
          title="Theme"
        >
          {theme.value === 'dark' ? '☀' : '☾'}
        </button>
        <button
          type="button"
          class="quiet"
          id="help"
          aria-keyshortcuts="?"
          aria-label="Keyboard shortcuts"
          onClick={openKeys}
        >
          ?
        </button>
      </div>
    </header>
  )
}

function Sessions() {
  const { data = [] } = useData<readonly { readonly session: string }[]>('/sessions', 'slowly')
  const names = ['', ...data.map((one) => one.session)]
  const choose = (name: string) => {
    if (name === '+') void newSession()
    else location.href = name === '' ? '/' : `/s/${name}/`
  }
  return (
    <select
      id="session"
      aria-label="Session"
      value={session}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {names.map((name) => (
        <option key={name} value={name} selected={name === session}>
          {name === '' ? 'Main chain' : name}
        </option>
      ))}
      <option value="+">New session…</option>
    </select>
  )
}
