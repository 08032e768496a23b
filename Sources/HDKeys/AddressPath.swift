/// Where an address of this wallet lies: `m/0/i` to receive, `m/1/i` for change.
public struct AddressPath: Hashable, Sendable {
    /// What the address is for.
    public enum Chain: UInt32, CaseIterable, Hashable, Sendable {
        /// To be given to others.
        case receive = 0
        /// For what is left over of the wallet's own payments.
        case change = 1
    }

    /// To receive, or for change.
    public let chain: Chain
    /// 0..<2³¹.
    public let index: UInt32

    /// Creates the path of the address with this index.
    ///
    /// - Throws: ``HDKeyError/badPath`` from 2³¹ on.
    public init(_ chain: Chain, index: UInt32) throws(HDKeyError) {
        guard index < DerivationPath.Step.hardened else { throw .badPath }
        self.chain = chain
        self.index = index
    }

    /// The path of an address, if that is what it is: two unhardened steps, the first of them 0 or 1.
    public init?(_ path: DerivationPath) {
        guard path.steps.count == 2, path.steps.allSatisfy({ !$0.isHardened }),
            let chain = Chain(rawValue: path.steps[0].index)
        else { return nil }
        self.chain = chain
        index = path.steps[1].index
    }
}

extension AddressPath: CustomStringConvertible {
    /// `m/0/5`.
    public var description: String { "m/\(chain.rawValue)/\(index)" }
}
