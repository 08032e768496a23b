public import Amounts

/// What the data of a transaction tell a contract to do, as far as this wallet understands it.
///
/// The data say a function's number and its arguments, not what the contract does with them. And some numbers are of two
/// standards: ``approve(spender:amountOrID:)`` and ``transferFrom(from:to:amountOrID:)`` name an amount to a token of ERC-20,
/// and one single thing to a collection of ERC-721.
public enum ContractCall: Hashable, Sendable {
    /// No data: a payment.
    case none
    /// ERC-20.
    case transfer(to: EthereumAddress, amount: UInt256)
    /// ERC-20 or ERC-721.
    case transferFrom(from: EthereumAddress, to: EthereumAddress, amountOrID: UInt256)
    /// ERC-20 or ERC-721.
    case approve(spender: EthereumAddress, amountOrID: UInt256)
    /// ERC-20, by OpenZeppelin.
    case increaseAllowance(spender: EthereumAddress, by: UInt256)
    /// Lowers the allowance of a spender by an amount.
    case decreaseAllowance(spender: EthereumAddress, by: UInt256)
    /// ERC-721. Nil data is the form without.
    case safeTransferFrom(from: EthereumAddress, to: EthereumAddress, id: UInt256, data: [UInt8]?)
    /// ERC-721 and ERC-1155: everything of the collection, now and later.
    case setApprovalForAll(operator: EthereumAddress, isApproved: Bool)
    /// ERC-1155, one or many.
    case safeTransfers(from: EthereumAddress, to: EthereumAddress, items: [Item], data: [UInt8], isBatch: Bool)
    /// EIP-2612, DAI, or an allowance of Permit2.
    case permit(TokenPermit)
    /// Permit2.
    case permit2Approve(token: EthereumAddress, spender: EthereumAddress, amount: Allowance, expiration: UInt256)
    /// Permit2, one or many.
    case permit2Transfers([Permit2Transfer], isBatch: Bool)
    /// Permit2: a signature that permits, and what is taken with it.
    case permitTransfer(TokenPermit, [Recipient])
    /// Anything else: a number that nothing is known of (or fewer than four bytes); or with a fault, a known one whose
    /// arguments are not what it takes.
    case unknown(selector: [UInt8], fault: ABI.Fault?)

    /// So many of one kind of an ERC-1155 collection.
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

    /// Who gets how much, in the order of what was permitted.
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

    /// The data with which an ERC-20 token is sent.
    public static func transferData(to: EthereumAddress, amount: UInt256) -> [UInt8] {
        ContractFunction.selector("transfer(address,uint256)") + [UInt8](repeating: 0, count: 12) + to.bytes
            + amount.bytes
    }

    /// The data with which a spender may take so much of an ERC-20 token; zero takes that back.
    public static func approveData(spender: EthereumAddress, amount: UInt256) -> [UInt8] {
        ContractFunction.selector("approve(address,uint256)") + [UInt8](repeating: 0, count: 12) + spender.bytes
            + amount.bytes
    }
}
