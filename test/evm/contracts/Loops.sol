// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Loops for the benchmark.
contract Loops {
    function arith(uint256 n) external pure returns (uint256 x) {
        unchecked {
            x = 1;
            for (uint256 i = 0; i < n; i++) x = (x * 3 + i) ^ (x >> 5);
        }
    }

    function hash(uint256 n) external pure returns (bytes32 x) {
        unchecked {
            for (uint256 i = 0; i < n; i++) {
                assembly ("memory-safe") {
                    mstore(0, x)
                    mstore(32, i)
                    x := keccak256(0, 64)
                }
            }
        }
    }

    function mulmods(uint256 n) external pure returns (uint256 x) {
        unchecked {
            x = 7;
            for (uint256 i = 1; i <= n; i++) x = addmod(mulmod(x, x, type(uint256).max - 188), i, type(uint256).max - 188);
        }
    }
}
