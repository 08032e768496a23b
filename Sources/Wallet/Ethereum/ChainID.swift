/// The number of a chain of Ethereum's kind (EIP-155). It is signed, so that a transaction is worth nothing on another chain.
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

    /// - Throws: ``WalletError/wrongNetwork`` for zero and above ``maximum``.
    public init(_ value: UInt64) throws(WalletError) {
        guard (1...Self.maximum).contains(value) else { throw .wrongNetwork }
        self.value = value
    }

    /// The name by which people know the chain; nil if this wallet does not.
    public var name: String? { Self.names[value] }

    /// Whether what is spent there is known to be worth nothing.
    public var isTest: Bool { Self.tests.contains(value) }

    /// Whether the chain's coin, in which fees are paid, is ether.
    public var paysInEther: Bool { Self.withEther.contains(value) }

    private static let withEther: Set<UInt64> = [
        1, 10, 130, 324, 480, 1_337, 8_453, 17_000, 31_337, 42_161, 59_144, 81_457, 84_532, 421_614, 534_352, 560_048,
        11_155_111, 11_155_420,
    ]
    private static let names: [UInt64: String] = [
        1: "Ethereum", 10: "OP Mainnet", 56: "BNB Smart Chain", 100: "Gnosis", 130: "Unichain", 137: "Polygon",
        324: "ZKsync Era", 480: "World Chain", 1_337: "local test chain", 5_000: "Mantle", 8_453: "Base",
        17_000: "Holesky", 31_337: "local test chain", 42_161: "Arbitrum One", 42_220: "Celo",
        43_114: "Avalanche C-Chain", 59_144: "Linea", 81_457: "Blast", 84_532: "Base Sepolia",
        421_614: "Arbitrum Sepolia", 534_352: "Scroll", 560_048: "Hoodi", 11_155_111: "Sepolia",
        11_155_420: "OP Sepolia",
    ]
    private static let tests: Set<UInt64> = [
        1_337, 17_000, 31_337, 84_532, 421_614, 560_048, 11_155_111, 11_155_420,
    ]
}

extension ChainID: CustomStringConvertible {
    /// `Ethereum (chain 1)`, or `chain 12345`.
    public var description: String { name.map { "\($0) (chain \(value))" } ?? "chain \(value)" }
}
