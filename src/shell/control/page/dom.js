// Elements from data. Text is always text: nothing a chain says becomes markup.

/** Returns an element; attributes that are functions listen, `undefined` ones are left out. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') element.addEventListener(key, value)
    else element.setAttribute(key, value === true ? '' : String(value))
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null))
  return element
}

/** Returns an SVG element. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  element.append(...children)
  return element
}

export const byId = (id) => document.getElementById(id)

/** A table, or what to do next when there is nothing to show. Cells are text, elements or columns' own. */
export function table({ columns, rows, empty, label }) {
  if (rows.length === 0) return h('div', { class: 'card empty' }, h('strong', {}, empty[0]), ...empty.slice(1))
  const cell = (column, row) => {
    const shown = column.show(row)
    return h('td', { class: column.class }, shown === null || shown === undefined ? '–' : shown)
  }
  return h('div', { class: 'card' }, h('table', { 'aria-label': label },
    h('thead', {}, h('tr', {}, columns.map((one) => h('th', { class: one.class, scope: 'col' }, one.title)))),
    h('tbody', {}, rows.map((row) => h('tr', {}, columns.map((one) => cell(one, row)))))))
}

/** Names and values below each other. */
export function fields(pairs) {
  return h('dl', { class: 'fields' }, pairs.filter(([, value]) => value !== null && value !== undefined)
    .flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, typeof value === 'number' ? String(value) : value)]))
}

/** A value as JSON to read; texts that are JSON are laid out too. */
export function json(value) {
  let shown = value
  if (typeof value === 'string') {
    try { shown = JSON.parse(value) } catch { return h('pre', { class: 'json', tabindex: '0' }, value) }
  }
  return h('pre', { class: 'json', tabindex: '0' }, JSON.stringify(shown, null, 2))
}

export function folded(title, value) {
  return h('details', {}, h('summary', {}, title), json(value))
}

export function pill(text, kind = '') {
  return h('span', { class: `pill ${kind}` }, text)
}
