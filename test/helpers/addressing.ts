import { type Addressing, addressTexts } from '../../src/app/evmd/address.ts'

/** The addresses of a chain whose prefix is `cosmos`. */
export const cosmosTexts = addressTexts('cosmos')
export const cosmosAddressing: Addressing = { fixed: { addressTexts: cosmosTexts } }
