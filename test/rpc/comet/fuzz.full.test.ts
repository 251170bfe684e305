import { fuzz } from '../../helpers/cometFuzz.ts'
import { mutate } from '../../helpers/cometMutants.ts'

fuzz(10_000)
mutate(10_000)
