import { fuzz } from '../../helpers/cometFuzz.ts'
import { mutate } from '../../helpers/cometMutants.ts'

fuzz(500)
mutate(500)
