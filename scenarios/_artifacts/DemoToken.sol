// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// A plain ERC-20 token for demonstrations: the deployer holds everything at first.
contract DemoToken {
    string public name;
    string public symbol;
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error InsufficientBalance(address holder, uint256 balance, uint256 needed);
    error InsufficientAllowance(address spender, uint256 allowance, uint256 needed);

    constructor(string memory name_, string memory symbol_, uint256 supply) {
        name = name_;
        symbol = symbol_;
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 left = allowance[from][msg.sender];
        if (left < value) revert InsufficientAllowance(msg.sender, left, value);
        if (left != type(uint256).max) allowance[from][msg.sender] = left - value;
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) private {
        uint256 has = balanceOf[from];
        if (has < value) revert InsufficientBalance(from, has, value);
        unchecked {
            balanceOf[from] = has - value;
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }
}

/// Sells numbered articles for tokens that the buyer has approved.
contract DemoShop {
    DemoToken public immutable token;
    address public immutable owner;
    uint256 public sold;

    event Sold(address indexed buyer, uint256 indexed article, uint256 price);

    error NoSuchArticle(uint256 article);

    constructor(DemoToken token_) {
        token = token_;
        owner = msg.sender;
    }

    function priceOf(uint256 article) public pure returns (uint256) {
        if (article == 0 || article > 48) revert NoSuchArticle(article);
        return article * 1 ether;
    }

    function buy(uint256 article) external {
        uint256 price = priceOf(article);
        token.transferFrom(msg.sender, owner, price);
        sold += 1;
        emit Sold(msg.sender, article, price);
    }
}
