/** Adds to a trace what its tracer does not know: its place in the chain and the gas charged. */
import { chargedGas, type GasCharge } from '../../app/ethereumView.ts'
import type { Plain, PlainObject } from '../../codec/goJsonWrite.ts'
import { quantityOf } from '../../codec/hex.ts'
import { isJsonObject } from '../../data/members.ts'

/**
 * The place of a trace. `charge` returns the gas to show for the gas used by a success, under the
 * quirk `trace-charged-gas`. A failure shows none (corrections-b 27). A message has no
 * `transactionHash`.
 */
export type TracePlace = {
  readonly blockHash: string | null
  readonly height: bigint
  readonly transactionHash: string | null
  readonly position: number
  readonly charge: GasCharge | undefined
}

/** Returns the trace with its place (flat traces), and with the charged gas in its top frame. */
export function placedTrace(trace: Plain, tracer: string, place: TracePlace): Plain {
  if (tracer === 'flatCallTracer') return placedList(trace, place)
  if (!isJsonObject(trace)) return trace
  if (tracer === 'muxTracer') {
    return Object.fromEntries(
      Object.entries(trace).map(([name, each]) => [
        name,
        each === undefined ? undefined : placedTrace(each, name, place),
      ]),
    )
  }
  const { charge } = place
  if (charge === undefined) return trace
  if (tracer === '') {
    const gas = trace['failed'] === true ? 0n : chargedGas(charge, BigInt(Number(trace['gas'])))
    return { ...trace, gas: Number(gas) }
  }
  return tracer === 'callTracer' || tracer === 'erc7562Tracer' ? charged(trace, charge) : trace
}

function placedList(trace: Plain, place: TracePlace): Plain {
  if (!Array.isArray(trace)) return trace
  return trace.map((one: Plain, at) => (isJsonObject(one) ? placed(one, at === 0, place) : one))
}

function placed(one: PlainObject, isTop: boolean, place: TracePlace): PlainObject {
  const { result } = one
  const { charge } = place
  return {
    ...one,
    blockHash: place.blockHash,
    // The node does not pass the height to its tracer.
    blockNumber: charge === undefined ? Number(place.height) : 0,
    transactionHash: place.transactionHash,
    transactionPosition: place.position,
    ...(isTop && charge !== undefined && isJsonObject(result)
      ? { result: { ...result, gasUsed: shownGas(result, one['error'], charge) } }
      : {}),
  }
}

function charged(shown: PlainObject, charge: GasCharge): PlainObject {
  return { ...shown, gasUsed: shownGas(shown, shown['error'], charge) }
}

function shownGas(shown: PlainObject, error: Plain | undefined, charge: GasCharge): string {
  return quantityOf(error === undefined ? chargedGas(charge, BigInt(String(shown['gasUsed']))) : 0n)
}
