// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

contract Coin is ERC20 {
    constructor(string memory symbol) ERC20("Coin", symbol) {
        _mint(msg.sender, 1_000_000 ether);
    }
}

contract Deed is ERC721 {
    constructor() ERC721("Deed", "DEED") {}

    function mint(address to, uint256 id) external {
        _safeMint(to, id);
    }
}

contract Goods is ERC1155 {
    constructor() ERC1155("https://goods.example/{id}") {}

    function mintBatch(address to, uint256[] calldata ids, uint256[] calldata amounts) external {
        _mintBatch(to, ids, amounts, "");
    }
}

/// Counts behind a proxy.
contract Counter {
    uint256 public count;

    event Counted(uint256 indexed count, bytes32 note);

    error TooMany(uint256 count);

    function add(uint256 by, bytes32 note) external returns (uint256) {
        count += by;
        if (count > 100) revert TooMany(count);
        emit Counted(count, note);
        return count;
    }
}

contract CounterProxy is ERC1967Proxy {
    constructor(address code) ERC1967Proxy(code, abi.encodeCall(Counter.add, (0, bytes32(0)))) {}
}
