import test from 'ava'
import fc from 'fast-check'
import { textOfUtf8, utf8Of } from '../../src/data/utf8.ts'

test('texts become the bytes that Node makes of them, and come back', (t) => {
  const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 200 }))
  fc.assert(
    fc.property(texts, (text) => {
      const bytes = utf8Of(text)
      t.deepEqual(Buffer.from(bytes), Buffer.from(text))
      t.is(textOfUtf8(bytes), new TextDecoder().decode(Buffer.from(text)))
    }),
    { seed: 1 },
  )
})

test('bytes that are no UTF-8 are read as TextDecoder reads them', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      t.is(textOfUtf8(bytes), new TextDecoder().decode(bytes))
    }),
    { seed: 1 },
  )
})
