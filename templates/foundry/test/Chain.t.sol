// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// `npm test` starts a chain and runs these tests on a fork of it.
contract ChainTest {
    address constant alice = 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266;

    function test_ChainId() public view {
        require(block.chainid == 31337, "another chain");
    }

    function test_AccountsAreFunded() public view {
        require(alice.balance == 10_000 ether, "no funds");
    }
}
