/** What the tests with cosmjs have in common. */

/** Its accounts hold coins on a local chain. */
export const phrase = 'test test test test test test test test test test test junk'

export const coin = (amount: string) => ({ denom: 'atest', amount })

/** Returns the operators of the validators of genesis. */
export async function operatorsOf(cometUrl: string): Promise<readonly string[]> {
  const { result } = (await (await fetch(`${cometUrl}/genesis`)).json()) as {
    result: {
      genesis: {
        app_state: { staking: { validators: { operator_address: string }[] } }
      }
    }
  }
  return result.genesis.app_state.staking.validators.map((each) => each.operator_address)
}

/** Lets time pass, and makes a block after it. */
export async function jump(ethUrl: string, seconds: number): Promise<void> {
  for (const [method, params] of [
    ['evm_increaseTime', [seconds]],
    ['evm_mine', []],
  ] as const) {
    await fetch(ethUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
  }
}
