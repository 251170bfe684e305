// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Many calls in one, with the interface and the revert texts of the Multicall3 that other chains have at
/// 0xcA11bde05977b3631167028862bE2a173976CA11. The code is our own, so `eth_getCode` is not theirs.
contract Multicall3 {
    struct Call { address target; bytes callData; }
    struct Call3 { address target; bool allowFailure; bytes callData; }
    struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }
    struct Result { bool success; bytes returnData; }

    function aggregate(Call[] calldata calls)
        external payable returns (uint256 blockNumber, bytes[] memory returnData)
    {
        blockNumber = block.number;
        returnData = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            returnData[i] = one(calls[i].target, 0, false, calls[i].callData).returnData;
        }
    }

    function tryAggregate(bool requireSuccess, Call[] calldata calls)
        public payable returns (Result[] memory returnData)
    {
        returnData = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            returnData[i] = one(calls[i].target, 0, !requireSuccess, calls[i].callData);
        }
    }

    function tryBlockAndAggregate(bool requireSuccess, Call[] calldata calls)
        public payable
        returns (uint256 blockNumber, bytes32 blockHash, Result[] memory returnData)
    {
        blockNumber = block.number;
        // A block does not know its own hash: this is zero, as it is elsewhere.
        blockHash = blockhash(block.number);
        returnData = tryAggregate(requireSuccess, calls);
    }

    function blockAndAggregate(Call[] calldata calls)
        external payable
        returns (uint256 blockNumber, bytes32 blockHash, Result[] memory returnData)
    {
        return tryBlockAndAggregate(true, calls);
    }

    function aggregate3(Call3[] calldata calls)
        external payable returns (Result[] memory returnData)
    {
        returnData = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            returnData[i] = one(calls[i].target, 0, calls[i].allowFailure, calls[i].callData);
        }
    }

    function aggregate3Value(Call3Value[] calldata calls)
        external payable returns (Result[] memory returnData)
    {
        returnData = new Result[](calls.length);
        uint256 spent;
        for (uint256 i = 0; i < calls.length; i++) {
            Call3Value calldata each = calls[i];
            spent += each.value;
            returnData[i] = one(each.target, each.value, each.allowFailure, each.callData);
        }
        require(msg.value == spent, "Multicall3: value mismatch");
    }

    function one(address target, uint256 value, bool allowFailure, bytes calldata callData)
        private returns (Result memory result)
    {
        (result.success, result.returnData) = target.call{value: value}(callData);
        require(allowFailure || result.success, "Multicall3: call failed");
    }

    function getBlockHash(uint256 blockNumber) external view returns (bytes32 blockHash) {
        blockHash = blockhash(blockNumber);
    }

    function getBlockNumber() external view returns (uint256 blockNumber) {
        blockNumber = block.number;
    }

    function getCurrentBlockCoinbase() external view returns (address coinbase) {
        coinbase = block.coinbase;
    }

    function getCurrentBlockDifficulty() external view returns (uint256 difficulty) {
        difficulty = block.prevrandao;
    }

    function getCurrentBlockGasLimit() external view returns (uint256 gaslimit) {
        gaslimit = block.gaslimit;
    }

    function getCurrentBlockTimestamp() external view returns (uint256 timestamp) {
        timestamp = block.timestamp;
    }

    function getEthBalance(address addr) external view returns (uint256 balance) {
        balance = addr.balance;
    }

    function getLastBlockHash() external view returns (bytes32 blockHash) {
        blockHash = blockhash(block.number - 1);
    }

    function getBasefee() external view returns (uint256 basefee) {
        basefee = block.basefee;
    }

    function getChainId() external view returns (uint256 chainid) {
        chainid = block.chainid;
    }
}
