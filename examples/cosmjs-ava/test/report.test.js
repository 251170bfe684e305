import test from 'ava'
import { report } from '../src/report.js'

// `npm test` plays a recording of a real node and sets its URL.
const url = process.env.CHAINSTAGE_COMET_URL

test('the report says what the recorded node said', async (t) => {
  t.is(
    await report(url, 'cosmos1gzsvk8rruqn2sx64acfsskrwy8hvrmafzhvvr0'),
    '9001 cosmos1gzsvk8rruqn2sx64acfsskrwy8hvrmafzhvvr0 sequence 0: 1000000000000000000000 atest',
  )
})
