// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

interface IERC3009 {
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}

/// Settles many signed transfers in one transaction. Anybody may call it: money goes only where a payer signed it to.
contract BatchSettle {
    struct Auth {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    event Failed(uint256 index, bytes32 nonce);

    /// One that fails takes none of the others with it. Returns how many succeeded.
    function settle(IERC3009 token, Auth[] calldata auths) external returns (uint256 settled) {
        for (uint256 i = 0; i < auths.length; i++) {
            Auth calldata a = auths[i];
            try token.transferWithAuthorization(
                a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, a.v, a.r, a.s
            ) {
                settled++;
            } catch {
                emit Failed(i, a.nonce);
            }
        }
    }
}
