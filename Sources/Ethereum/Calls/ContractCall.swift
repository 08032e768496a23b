public import Amounts

/// The call in the data of a transaction, as far as this wallet understands it.
///
/// The data contain a function's selector and its arguments, not their effect in the contract. Some selectors
/// belong to two standards: in ``approve(spender:amountOrID:)`` and ``transferFrom(from:to:amountOrID:)`` the number is
/// an amount for an ERC-20 token, and a single item for an ERC-721 collection.
public enum ContractCall: Hashable, Sendable {
    /// The call has no data: a payment.
    case none
    /// A token payment (ERC-20).
    case transfer(to: EthereumAddress, amount: UInt256)
    /// A transfer of another account's tokens or item (ERC-20 or ERC-721).
    case transferFrom(from: EthereumAddress, to: EthereumAddress, amountOrID: UInt256)
    /// An allowance or the approval of one item (ERC-20 or ERC-721).
    case approve(spender: EthereumAddress, amountOrID: UInt256)
    /// An increased allowance (ERC-20, by OpenZeppelin).
    case increaseAllowance(spender: EthereumAddress, by: UInt256)
    /// A decreased allowance (ERC-20, by OpenZeppelin).
    case decreaseAllowance(spender: EthereumAddress, by: UInt256)
    /// A transfer of one item (ERC-721). The form without data has nil.
    case safeTransferFrom(from: EthereumAddress, to: EthereumAddress, id: UInt256, data: [UInt8]?)
    /// Control over a whole collection, now and later (ERC-721 and ERC-1155).
    case setApprovalForAll(operator: EthereumAddress, isApproved: Bool)
    /// A transfer of one or several items (ERC-1155).
    case safeTransfers(from: EthereumAddress, to: EthereumAddress, items: [Item], data: [UInt8], isBatch: Bool)
    /// A permission by signature (EIP-2612, DAI, or an allowance of Permit2).
    case permit(TokenPermit)
    /// An allowance in Permit2.
    case permit2Approve(token: EthereumAddress, spender: EthereumAddress, amount: Allowance, expiration: UInt256)
    /// One or several transfers by Permit2.
    case permit2Transfers([Permit2Transfer], isBatch: Bool)
    /// A Permit2 permission by signature, with the transfers that use it.
    case permitTransfer(TokenPermit, [Recipient])
    /// Any other call: an unknown selector (or fewer than four bytes); or, with a fault, a known selector whose
    /// arguments do not match.
    case unknown(selector: [UInt8], fault: ABI.Fault?)

    /// An amount of one kind of items in an ERC-1155 collection.
    public struct Item: Hashable, Sendable {
        public let id: UInt256
        /// The amount, in the smallest unit of the token.
        public let amount: UInt256
    }

    /// A transfer that Permit2 makes.
    public struct Permit2Transfer: Hashable, Sendable {
        /// The account that pays.
        public let from: EthereumAddress
        /// The account that is paid.
        public let to: EthereumAddress
        /// The amount, in the smallest unit of the token.
        public let amount: UInt256
        /// The contract of the token.
        public let token: EthereumAddress
    }

    /// A recipient and an amount, in the order of the permitted tokens.
    public struct Recipient: Hashable, Sendable {
        /// The account that is paid.
        public let to: EthereumAddress
        /// The amount, in the smallest unit of the token.
        public let amount: UInt256
    }

    /// Reads the data of a transaction.
    public init(decoding data: [UInt8]) {
        guard !data.isEmpty else {
            self = .none
            return
        }
        let selector = Array(data.prefix(4))
        guard let function = ContractFunction.all[selector] else {
            self = .unknown(selector: selector, fault: nil)
            return
        }
        do {
            self = try function.call(try ABI.decode(data.dropFirst(4), as: function.types))
        } catch .badABI(let fault) {
            self = .unknown(selector: selector, fault: fault)
        } catch {
            self = .unknown(selector: selector, fault: .dirty)
        }
    }

    /// Returns the data for sending an ERC-20 token.
    public static func transferData(to: EthereumAddress, amount: UInt256) -> [UInt8] {
        ContractFunction.selector("transfer(address,uint256)") + [UInt8](repeating: 0, count: 12) + to.bytes
            + amount.bytes
    }

    /// Returns the data for an allowance of an ERC-20 token; zero ends it.
    public static func approveData(spender: EthereumAddress, amount: UInt256) -> [UInt8] {
        ContractFunction.selector("approve(address,uint256)") + [UInt8](repeating: 0, count: 12) + spender.bytes
            + amount.bytes
    }
}
