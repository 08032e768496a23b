package import Curves

/// The keys of both address chains below an extended key. They are derived once, because each address derives from one.
package struct AddressChains: Equatable, Sendable {
    private let chains: [Chain]

    private struct Chain: Equatable, Sendable {
        let key: PublicParent
        let tweak: Scalar<Secp256k1>
    }

    /// - Throws: ``HDKeyError/badKey`` for a key without valid chains, which is less likely than 2⁻¹²⁷;
    ///   ``HDKeyError/badPath`` if it is too deep to have children.
    package init(below key: ExtendedPublicKey) throws(HDKeyError) {
        var chains: [Chain] = []
        for chain in AddressPath.Chain.allCases {
            let child = try key.child(chain.rawValue)
            chains.append(Chain(key: try PublicParent(child.key), tweak: child.tweak))
        }
        self.chains = chains
    }

    /// Returns the key of an address, and the tweak of each of the two steps.
    ///
    /// - Throws: ``HDKeyError/badKey`` for an index that has no key, which is less likely than 2⁻¹²⁷.
    package func key(
        at path: AddressPath
    ) throws(HDKeyError) -> (point: Secp256k1.Point, chain: Scalar<Secp256k1>, index: Scalar<Secp256k1>) {
        let chain = chains[Int(path.chain.rawValue)]
        let child = try chain.key.child(path.index)
        return (child.key.point, chain.tweak, child.tweak)
    }
}
