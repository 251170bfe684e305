import { fuzz } from '../../helpers/ethFuzz.ts'

fuzz(1000)
