// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

struct Coin {
    string denom;
    uint256 amount;
}

struct Token {
    address token;
    uint256 amount;
}

interface Bank {
    function balances(address account) external view returns (Token[] memory);
    function supplyOf(address token) external view returns (uint256);
}

interface Bech32 {
    function hexToBech32(address account, string memory prefix) external returns (string memory);
    function bech32ToHex(string memory text) external returns (address);
}

interface Staking {
    function delegate(address from, string memory to, uint256 amount) external returns (bool);
    function undelegate(address from, string memory to, uint256 amount) external returns (int64);
    function delegation(address from, string memory to) external view returns (uint256, Coin memory);
}

interface Distribution {
    function fundCommunityPool(address from, Coin[] memory amount) external returns (bool);
    function setWithdrawAddress(address from, string memory to) external returns (bool);
    function delegatorWithdrawAddress(address from) external view returns (string memory);
}

interface Gov {
    function submitProposal(address from, bytes calldata json, Coin[] memory amount) external returns (uint64);
    function vote(address voter, uint64 id, uint8 option, string memory metadata) external returns (bool);
    function getConstitution() external view returns (string memory);
}

interface Wrapped {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
    function transfer(address to, uint256 amount) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
}

/// Acts for itself at every precompile, and in every kind of frame.
contract Caller {
    Bank constant bank = Bank(address(0x804));
    Bech32 constant bech32 = Bech32(address(0x400));
    Staking constant staking = Staking(address(0x800));
    Distribution constant distribution = Distribution(address(0x801));
    Gov constant gov = Gov(address(0x805));
    Wrapped constant coin = Wrapped(0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE);

    uint256 public caught;

    receive() external payable {}

    function stake(string memory to, uint256 amount) external {
        require(staking.delegate(address(this), to, amount), "not delegated");
    }

    function unstake(string memory to, uint256 amount) external {
        require(staking.undelegate(address(this), to, amount) > 0, "no time");
    }

    function fund(uint256 amount) public {
        Coin[] memory coins = new Coin[](1);
        coins[0] = Coin("atest", amount);
        require(distribution.fundCommunityPool(address(this), coins), "not funded");
    }

    function propose(bytes calldata json, uint256 amount) external returns (uint64 id) {
        Coin[] memory coins = new Coin[](1);
        coins[0] = Coin("atest", amount);
        id = gov.submitProposal(address(this), json, coins);
    }

    function pay(address to, uint256 amount) external {
        require(coin.transfer(to, amount), "not paid");
        require(coin.balanceOf(to) == to.balance, "two balances");
    }

    function wrap(uint256 amount) external {
        uint256 before = address(this).balance;
        coin.deposit{value: amount}();
        coin.withdraw(amount);
        require(address(this).balance == before, "wrapping moved coins");
    }

    /// Sends plain value and funds the pool: module and EVM must agree on what is left.
    function mix(address payable to, uint256 amount) external {
        uint256 before = address(this).balance;
        to.transfer(amount);
        fund(amount);
        to.transfer(amount);
        require(address(this).balance == before - 3 * amount, "lost count");
        require(coin.balanceOf(address(this)) == address(this).balance, "two balances");
    }

    function roundTrip(string memory prefix) external returns (bool) {
        return bech32.bech32ToHex(bech32.hexToBech32(address(this), prefix)) == address(this);
    }

    function forward(address to, bytes memory data) public returns (bytes memory answer) {
        bool done;
        (done, answer) = to.call(data);
        if (!done) assembly { revert(add(answer, 32), mload(answer)) }
    }

    function forwardThenRevert(address to, bytes memory data) external {
        forward(to, data);
        revert("taken back");
    }

    function forwardInside(address to, bytes memory data) external {
        try this.forwardThenRevert(to, data) {} catch { caught += 1; }
    }

    function ask(address to, bytes memory data) external view returns (bool done, bytes memory answer) {
        (done, answer) = to.staticcall(data);
    }

    function borrow(address to, bytes memory data) external returns (bool done, bytes memory answer) {
        (done, answer) = to.delegatecall(data);
    }
}
