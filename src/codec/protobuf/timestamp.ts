import { lastTimestamp, type Time, zeroTime } from '../../data/time.ts'
import { int32, int64, message, type Message } from './message.ts'
import { ProtobufError } from './wire.ts'

const anyTimestamp = message<Time>({ 1: ['seconds', int64], 2: ['nanos', int32] })

/** The message `google.protobuf.Timestamp`. Like gogoproto, it refuses a time beyond the calendar. */
export const timestamp: Message<Time> = {
  ...anyTimestamp,
  // gogoproto's times are not messages.
  isReplaced: true,
  decode: (bytes) => {
    const time = anyTimestamp.decode(bytes)
    const { seconds, nanos } = time
    const shown = `timestamp: &timestamppb.Timestamp{Seconds: ${seconds},\nNanos: ${nanos},\n}`
    if (seconds < zeroTime.seconds) throw new ProtobufError(`${shown} before 0001-01-01`)
    if (seconds > lastTimestamp) throw new ProtobufError(`${shown} after 10000-01-01`)
    if (nanos < 0 || nanos >= 1e9) throw new ProtobufError(`${shown}: nanos not in range [0, 1e9)`)
    return time
  },
}
