import { formatTime } from './time.ts'
import type { Time } from '../data/time.ts'

/** Returns a time in the form that Go prints. */
export function goTime(time: Time): string {
  return formatTime(time).replace('T', ' ').replace('Z', ' +0000 UTC')
}
