/** An operator's change of the EVM's state or of its next blocks. Addresses are 20 bytes. */
export type EthereumEdit =
  | { readonly type: 'setNonce'; readonly address: Uint8Array; readonly nonce: bigint }
  | { readonly type: 'setCode'; readonly address: Uint8Array; readonly code: Uint8Array }
  | {
      readonly type: 'setStorage'
      readonly address: Uint8Array
      readonly slot: Uint8Array
      readonly value: Uint8Array
    }
  | { readonly type: 'setBaseFee'; readonly baseFee: bigint }
  /**
   * Accepts unsigned transactions from an account, or from all accounts if no address is given
   * (`unsigned.ts`).
   */
  | { readonly type: 'setImpersonated'; readonly address: Uint8Array | undefined; readonly isOn: boolean }
  /** Sets COINBASE for the next blocks. Undefined restores the proposer's operator address. */
  | { readonly type: 'setCoinbase'; readonly address: Uint8Array | undefined }
  /** Sets PREVRANDAO for the next block only. */
  | { readonly type: 'setPrevRandao'; readonly value: Uint8Array }
