import anyTest, { type TestFn } from 'ava'
import { type AxeContext, checkPages } from '../helpers/axeChecks.ts'

checkPages(anyTest as TestFn<AxeContext>, [
  [390, 'dark'],
  [768, 'light'],
  [768, 'dark'],
  [1440, 'light'],
  [1440, 'dark'],
])
