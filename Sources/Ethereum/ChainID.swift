public import Amounts

/// The number of Ethereum or a similar chain (EIP-155). It is part of the signed data, so that a transaction is invalid
/// on every other chain.
///
/// The wallet's other data about a chain, such as its name and coin, are compiled in (`KnownChain`); no node is asked
/// for them.
public struct ChainID: Hashable, Sendable {
    /// The number, from 1 to ``maximum``.
    public let value: UInt64

    /// The largest number: with it, `v` of a signature still fits into 64 bits (EIP-2294).
    public static let maximum: UInt64 = .max / 2 - 36

    /// Ethereum's main chain.
    public static let ethereum = ChainID(unchecked: 1)
    /// The test network Sepolia.
    public static let sepolia = ChainID(unchecked: 11_155_111)

    private init(unchecked value: UInt64) { self.value = value }

    /// Creates the identifier of a chain.
    ///
    /// - Throws: ``EthereumError/badChainID`` for zero and above ``maximum``.
    public init(_ value: UInt64) throws(EthereumError) {
        guard (1...Self.maximum).contains(value) else { throw .badChainID }
        self.value = value
    }

    /// Creates the chain with this name on a command line, such as `base` or `sepolia`; nil if the name is unknown.
    public init?(keyword: String) {
        guard let known = KnownChain.all.first(where: { $0.keyword == keyword }) else { return nil }
        value = known.id
    }

    /// The names that ``init(keyword:)`` accepts: Ethereum, other chains with real coins, test networks, local test
    /// chains.
    public static var keywords: [String] { KnownChain.all.map(\.keyword) }
}

extension ChainID {
    private var known: KnownChain? { KnownChain.byID[value] }

    /// The chain's common name; nil if this wallet does not know the chain.
    public var name: String? { known?.name }

    /// The name of the chain on a command line; nil if this wallet does not know the chain.
    public var keyword: String? { known?.keyword }

    /// The symbol of the coin in which fees are paid; `coins` if this wallet does not know the chain.
    public var coin: String { known?.coin.symbol ?? "coins" }

    /// Whether a chain's coins have a value.
    public enum Worth: Hashable, Sendable {
        /// The coins have a price.
        case real
        /// The coins are given away: on a test network, or on a chain that runs on one machine.
        case test
        /// This wallet does not know the chain.
        case unknown
    }

    /// Whether the chain's coins have a value.
    public var worth: Worth { known.map { $0.kind == .main ? .real : .test } ?? .unknown }

    /// Whether the chain's coins are known to be worthless.
    public var isTest: Bool { worth == .test }

    /// Whether the chain runs on a developer's machine. Two local chains with one number are different chains.
    public var isLocal: Bool { known?.kind == .local }

    /// How a chain charges for a transaction.
    public enum FeeRule: Hashable, Sendable {
        /// For gas. By the protocol, a payment to an account without code takes 21,000.
        case gas
        /// For gas, which includes other costs: the node estimates how much a payment takes.
        case estimatedGas
        /// For gas that the node estimates, with a further fee for the transaction's data, which a contract reports.
        case gasAndData(DataFeeOracle)
        /// Unknown: the node estimates the gas, and a further fee is expected if an oracle for it exists.
        case unknown
    }

    /// How the chain charges for a transaction.
    public var feeRule: FeeRule { known?.feeRule ?? .unknown }

    /// The highest fee without the user's permission: worth some tens of euros at most. It limits the loss if a node
    /// lies about fees can waste.
    public var usualFee: Wei { Wei(UInt256(known?.usualFee ?? 20_000_000).gwei) }

    /// The highest tip for block producers for a unit of gas, whatever a node suggests: a lie about it would be paid in
    /// full.
    public var highestTip: Wei { Wei(UInt256(known?.highestTip ?? 100).gwei) }

    /// The number of blocks after which a block is final: about 13 minutes at the chain's pace (two epochs of
    /// Ethereum); for an unknown chain, at a block a second.
    public var finalDepth: UInt64 {
        EthereumLimits.finalDepth * (known?.blocksPerMinute ?? 60) / KnownChain.ethereumBlocksPerMinute
    }

    /// Reads an amount of the chain's coin with its unit: `0.1pol` on Polygon, `0.1coins` on an unknown chain, `30gwei`
    /// and `5wei` on every chain.
    ///
    /// - Throws: `AmountError.malformed`, also without a unit; `AmountError.otherUnit`; `AmountError.outOfRange`.
    public func amount(_ text: String) throws(AmountError) -> Wei {
        let (number, word) = MoneyUnit.split(text)
        let small: [MoneyUnit] = [.wei, .gwei]
        if let unit = small.first(where: { $0.rawValue.isUnit(word) }) {
            return Wei(try DecimalText.read(number, unit.decimals))
        }
        if coin.isUnit(word) { return Wei(try DecimalText.read(number, .ether)) }
        let others = MoneyUnit.allCases.map(\.rawValue) + KnownChain.all.map(\.coin.symbol) + ["coins"]
        throw others.contains { $0.isUnit(word) } ? .otherUnit : .malformed
    }
}

extension ChainID: CustomStringConvertible {
    /// The chain as text: `Ethereum (chain 1)`, or `chain 12345`.
    public var description: String { name.map { "\($0) (chain \(value))" } ?? "chain \(value)" }
}

extension UInt256 {
    /// This number of gwei, in wei. Numbers of the table are too small to overflow.
    fileprivate var gwei: UInt256 { (try? multiplied(by: 1_000_000_000)) ?? .maximum }
}

extension String {
    /// Returns whether a word names this unit: as it is written, or in lower or upper case.
    fileprivate func isUnit(_ word: String) -> Bool { word == self || word == lowercased() || word == uppercased() }
}
