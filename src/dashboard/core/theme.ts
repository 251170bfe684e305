/** The light or dark theme: the system's setting until the user chooses. */
import { signal } from '@preact/signals'

const system = matchMedia('(prefers-color-scheme: dark)')
const stored = localStorage.getItem('theme')

export const theme = signal<'light' | 'dark'>(
  stored === 'dark' || stored === 'light' ? stored : system.matches ? 'dark' : 'light',
)

const show = () => {
  document.documentElement.dataset['theme'] = theme.value
}
show()
system.addEventListener('change', ({ matches }) => {
  if (localStorage.getItem('theme') !== null) return
  theme.value = matches ? 'dark' : 'light'
  show()
})

/** Switches to the other theme and stores the choice. */
export function switchTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark'
  localStorage.setItem('theme', theme.value)
  show()
}
