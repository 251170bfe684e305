/** Functions, errors and events that most contracts share. They are decoded even without an ABI. */
import { readEvent, readSignature, type EventShape, type FunctionShape, bySelector } from './abiShapes.ts'

/** Events of ERC-20, 721, 1155, WETH, Ownable, AccessControl, Pausable and proxies. */
const events = [
  'Transfer(address indexed from, address indexed to, uint256 value)',
  'Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'Approval(address indexed owner, address indexed spender, uint256 value)',
  'Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
  'ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
  'TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'Deposit(address indexed owner, uint256 value)',
  'Withdrawal(address indexed owner, uint256 value)',
  'OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
  'RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)',
  'RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)',
  'Paused(address account)',
  'Unpaused(address account)',
  'Initialized(uint64 version)',
  'Upgraded(address indexed implementation)',
]

/** The functions of ERC-20. A contract whose code contains all of them is shown as a token. */
export const erc20Functions: readonly FunctionShape[] = [
  'name() view returns (string)',
  'symbol() view returns (string)',
  'decimals() view returns (uint8)',
  'totalSupply() view returns (uint256)',
  'balanceOf(address owner) view returns (uint256)',
  'allowance(address owner, address spender) view returns (uint256)',
  'transfer(address to, uint256 value) returns (bool)',
  'approve(address spender, uint256 value) returns (bool)',
  'transferFrom(address from, address to, uint256 value) returns (bool)',
].map(readSignature)

const functions = [
  'mint(address to, uint256 value)',
  'burn(uint256 value)',
  'deposit()',
  'withdraw(uint256 value)',
  'owner() view returns (address)',
  'transferOwnership(address newOwner)',
  'renounceOwnership()',
  'ownerOf(uint256 tokenId) view returns (address)',
  'safeTransferFrom(address from, address to, uint256 tokenId)',
  'setApprovalForAll(address operator, bool approved)',
  'grantRole(bytes32 role, address account)',
  'revokeRole(bytes32 role, address account)',
  'pause()',
  'unpause()',
  'multicall(bytes[] data) returns (bytes[])',
].map(readSignature)

const errors = [
  'Error(string reason)',
  'Panic(uint256 code)',
  'ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'ERC20InvalidReceiver(address receiver)',
  'ERC20InvalidSender(address sender)',
  'OwnableUnauthorizedAccount(address account)',
  'AccessControlUnauthorizedAccount(address account, bytes32 neededRole)',
  'EnforcedPause()',
].map(readSignature)

export const commonFunctions = bySelector([...erc20Functions, ...functions])
export const commonErrors = bySelector(errors)

export const commonEvents: readonly EventShape[] = events.map(readEvent)
