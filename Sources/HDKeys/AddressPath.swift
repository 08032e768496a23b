/// The path of an address of this wallet: `m/0/i` to receive, `m/1/i` for change.
public struct AddressPath: Hashable, Sendable {
    /// The use of an address.
    public enum Chain: UInt32, CaseIterable, Hashable, Sendable {
        /// For payments from others.
        case receive = 0
        /// For the change of the wallet's own payments.
        case change = 1
    }

    /// The use of the address: to receive, or for change.
    public let chain: Chain
    /// The index, 0..<2³¹.
    public let index: UInt32

    /// Creates the path of the address with this index.
    ///
    /// - Throws: ``HDKeyError/badPath`` from 2³¹ on.
    public init(_ chain: Chain, index: UInt32) throws(HDKeyError) {
        guard index < DerivationPath.Step.hardened else { throw .badPath }
        self.chain = chain
        self.index = index
    }

    /// Reads the path of an address: two unhardened steps, the first of them 0 or 1; nil for any other path.
    public init?(_ path: DerivationPath) {
        guard path.steps.count == 2, path.steps.allSatisfy({ !$0.isHardened }),
            let chain = Chain(rawValue: path.steps[0].index)
        else { return nil }
        self.chain = chain
        index = path.steps[1].index
    }
}

extension AddressPath: CustomStringConvertible {
    /// The path as text: `m/0/5`.
    public var description: String { "m/\(chain.rawValue)/\(index)" }
}
