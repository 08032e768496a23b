public import Amounts

/// The number of a chain of Ethereum's kind (EIP-155). It is signed, so that a transaction is worth nothing on another chain.
///
/// What this wallet knows of a chain beside its number, as its name and its coin, is compiled in (`KnownChain`): no node is
/// asked for it.
public struct ChainID: Hashable, Sendable {
    /// 1 up to ``maximum``.
    public let value: UInt64

    /// EIP-2294: with it `v` of a signature still fits into 64 bits.
    public static let maximum: UInt64 = .max / 2 - 36

    /// Where ether is worth something.
    public static let ethereum = ChainID(unchecked: 1)
    /// A test chain.
    public static let sepolia = ChainID(unchecked: 11_155_111)

    private init(unchecked value: UInt64) { self.value = value }

    /// Creates the identifier of a chain.
    ///
    /// - Throws: ``EthereumError/badChainID`` for zero and above ``maximum``.
    public init(_ value: UInt64) throws(EthereumError) {
        guard (1...Self.maximum).contains(value) else { throw .badChainID }
        self.value = value
    }

    /// The chain that a command line names `base` or `sepolia`, if this wallet knows it.
    public init?(keyword: String) {
        guard let known = KnownChain.all.first(where: { $0.keyword == keyword }) else { return nil }
        value = known.id
    }

    /// The names that ``init(keyword:)`` knows: Ethereum, other chains with real coins, test networks, local test chains.
    public static var keywords: [String] { KnownChain.all.map(\.keyword) }
}

extension ChainID {
    private var known: KnownChain? { KnownChain.byID[value] }

    /// The name by which people know the chain; nil if this wallet does not.
    public var name: String? { known?.name }

    /// The name of the chain on a command line; nil if this wallet does not know the chain.
    public var keyword: String? { known?.keyword }

    /// The symbol of the coin in which fees are paid; `coins` if this wallet does not know the chain.
    public var coin: String { known?.coin.symbol ?? "coins" }

    /// The worth of a chain's coins.
    public enum Worth: Hashable, Sendable {
        /// People buy and sell them.
        case real
        /// They are given away: on a test network, or on a chain that runs on one machine.
        case test
        /// This wallet does not know the chain.
        case unknown
    }

    /// The worth of the chain's coins.
    public var worth: Worth { known.map { $0.kind == .main ? .real : .test } ?? .unknown }

    /// Whether what is spent there is known to be worth nothing.
    public var isTest: Bool { worth == .test }

    /// Whether the chain runs on a developer's machine. Two developers' chains with one number have nothing in common.
    public var isLocal: Bool { known?.kind == .local }

    /// How a chain charges for a transaction.
    public enum FeeRule: Hashable, Sendable {
        /// For gas. A payment to an account without code takes 21,000, by the protocol.
        case gas
        /// For gas, into which it counts other things too: the node estimates how much a payment takes.
        case estimatedGas
        /// Likewise, and a further fee for the transaction's data, which a contract tells.
        case gasAndData(DataFeeOracle)
        /// This wallet does not know: the node estimates the gas, and a further fee is charged where there is an oracle for it.
        case unknown
    }

    /// How the chain charges for a transaction.
    public var feeRule: FeeRule { known?.feeRule ?? .unknown }

    /// The fee up to which no person has to allow it: some tens of euros' worth at most. It bounds what a node that lies about
    /// fees can waste.
    public var usualFee: Wei { Wei(UInt256(known?.usualFee ?? 20_000_000).gwei) }

    /// The highest price for a unit of gas that is offered to block producers, whatever a node suggests: what a lie about it costs
    /// is paid in full.
    public var highestTip: Wei { Wei(UInt256(known?.highestTip ?? 100).gwei) }

    /// Blocks after which what is mined stays: two epochs of Ethereum, about 13 minutes, at the chain's pace; of a chain that this wallet
    /// does not know, at a block a second.
    public var finalDepth: UInt64 {
        EthereumLimits.finalDepth * (known?.blocksPerMinute ?? 60) / KnownChain.ethereumBlocksPerMinute
    }

    /// Reads an amount of the chain's coin that names its unit: `0.1pol` on Polygon, `0.1coins` on a chain that this wallet does
    /// not know, `30gwei` and `5wei` on each.
    ///
    /// - Throws: `AmountError.malformed`, also where there is no unit; `AmountError.otherUnit`; `AmountError.outOfRange`.
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
    /// `Ethereum (chain 1)`, or `chain 12345`.
    public var description: String { name.map { "\($0) (chain \(value))" } ?? "chain \(value)" }
}

extension UInt256 {
    /// So many gwei, in wei. Of a table's numbers, which are far from the end.
    fileprivate var gwei: UInt256 { (try? multiplied(by: 1_000_000_000)) ?? .maximum }
}

extension String {
    /// Whether a person means this unit: as it is written, or in lower or upper case.
    fileprivate func isUnit(_ word: String) -> Bool { word == self || word == lowercased() || word == uppercased() }
}
