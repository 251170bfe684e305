import { fuzz } from '../../helpers/ethFuzz.ts'

fuzz(20_000)
