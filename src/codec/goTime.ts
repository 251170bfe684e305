import { formatTime } from './time.ts'
import type { Time } from '../data/time.ts'

/** Returns a time as Go prints it. */
export function goTime(time: Time): string {
  return formatTime(time).replace('T', ' ').replace('Z', ' +0000 UTC')
}
