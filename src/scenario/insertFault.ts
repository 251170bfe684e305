/** Adds a fault to the text of a scenario; comments and formatting stay unchanged. */
import { parse as parseTree } from '@humanwhocodes/momoa'
import type { MemberNode, ObjectNode } from '@humanwhocodes/momoa'
import json5 from 'json5'
import { SimError } from '../errors.ts'
import { readSource } from './source.ts'

/** Returns the text with one more fault. Throws `FaultNotInserted` if the fault cannot be added. */
export function withFault(text: string, name: string, rule: unknown): string {
  const body = bodyOf(text)
  const entry = `${json5
    .stringify({ [name]: rule }, null, 2)
    .slice(2, -2)
    .replace(/^ {2}/gm, '    ')
    .replace(/,$/, '')},`
  const faults = memberOf(body, 'faults')
  if (faults === undefined) return checked(inserted(text, body, `  faults: {\n${entry}\n  },\n`), name)
  if (faults.value.type !== 'Object') throw new FaultNotInserted('"faults" is not an object')
  if (memberOf(faults.value, name) !== undefined) throw new FaultNotInserted(`it already has a fault "${name}"`)
  return checked(inserted(text, faults.value, `${entry}\n  `), name)
}

function bodyOf(text: string): ObjectNode {
  try {
    const { body } = parseTree(text, { mode: 'json5' })
    if (body.type === 'Object') return body
  } catch {
    throw new FaultNotInserted('it is not JSON5: edit a module by hand')
  }
  throw new FaultNotInserted('it is not an object')
}

function memberOf({ members }: ObjectNode, wanted: string): MemberNode | undefined {
  return members.findLast(({ name }) => (name.type === 'String' ? name.value : name.name) === wanted)
}

/** Inserts text before the closing brace of an object, and adds a missing comma. */
function inserted(text: string, { members, loc }: ObjectNode, addition: string): string {
  const close = loc.end.offset - 1
  const last = members.at(-1)?.loc.end.offset
  const between = text.slice(last ?? close, close)
  const hasComma = /^(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*,/.test(between)
  const comma = last === undefined || hasComma ? '' : ','
  return `${text.slice(0, last ?? close)}${comma}${between.trimEnd()}\n${addition}${text.slice(close)}`
}

function checked(text: string, name: string): string {
  const { problems, value } = readSource('scenario', text)
  const faults = (value as { faults?: object } | undefined)?.faults
  if (problems.length > 0 || faults === undefined || !Object.hasOwn(faults, name)) {
    throw new FaultNotInserted('there is no place for the fault in the text')
  }
  return text
}

/** The fault cannot be added to this scenario. */
export class FaultNotInserted extends SimError {
  constructor(why: string) {
    super('FAULT_NOT_INSERTED', `the fault was not added to the scenario: ${why}`, {
      hint: 'Copy the rule and add it to the file by hand.',
    })
  }
}
