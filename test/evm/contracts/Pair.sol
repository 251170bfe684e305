// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// A constant-product exchange of two tokens with a fee of three in a thousand.
contract Pair {
    IToken public immutable first;
    IToken public immutable second;
    uint112 private reserveFirst;
    uint112 private reserveSecond;
    uint256 public totalShares;
    mapping(address => uint256) public shares;

    event Joined(address indexed who, uint256 amountFirst, uint256 amountSecond, uint256 minted);
    event Swapped(address indexed who, address indexed sold, uint256 amountIn, uint256 amountOut);

    constructor(IToken first_, IToken second_) {
        first = first_;
        second = second_;
    }

    function reserves() public view returns (uint112, uint112) {
        return (reserveFirst, reserveSecond);
    }

    function join(uint256 amountFirst, uint256 amountSecond) external returns (uint256 minted) {
        first.transferFrom(msg.sender, address(this), amountFirst);
        second.transferFrom(msg.sender, address(this), amountSecond);
        minted = totalShares == 0
            ? root(amountFirst * amountSecond)
            : smaller(amountFirst * totalShares / reserveFirst, amountSecond * totalShares / reserveSecond);
        require(minted > 0, "nothing to mint");
        totalShares += minted;
        shares[msg.sender] += minted;
        sync();
        emit Joined(msg.sender, amountFirst, amountSecond, minted);
    }

    function swap(IToken sold, uint256 amountIn, uint256 amountOutMin) external returns (uint256 amountOut) {
        require(sold == first || sold == second, "foreign token");
        (uint256 into, uint256 from) = sold == first ? (reserveFirst, reserveSecond) : (reserveSecond, reserveFirst);
        sold.transferFrom(msg.sender, address(this), amountIn);
        uint256 afterFee = amountIn * 997;
        amountOut = afterFee * from / (into * 1000 + afterFee);
        require(amountOut >= amountOutMin, "slippage");
        (sold == first ? second : first).transfer(msg.sender, amountOut);
        sync();
        emit Swapped(msg.sender, address(sold), amountIn, amountOut);
    }

    function sync() private {
        reserveFirst = uint112(first.balanceOf(address(this)));
        reserveSecond = uint112(second.balanceOf(address(this)));
    }

    function smaller(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }

    function root(uint256 value) private pure returns (uint256 guess) {
        if (value == 0) return 0;
        guess = value;
        for (uint256 next = value / 2 + 1; next < guess; next = (value / next + next) / 2) guess = next;
    }
}

/// Reads many things in one call; a failed one does not spoil the others unless asked.
contract Multicall {
    struct Call {
        address target;
        bool mayFail;
        bytes data;
    }

    struct Answer {
        bool success;
        bytes data;
    }

    function aggregate(Call[] calldata calls) external returns (Answer[] memory answers) {
        answers = new Answer[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (answers[i].success, answers[i].data) = calls[i].target.call(calls[i].data);
            require(answers[i].success || calls[i].mayFail, "a call failed");
        }
    }
}

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
