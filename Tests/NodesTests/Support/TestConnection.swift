import Foundation
import Nodes
import PinnedHTTP
import TestSupport

extension NodeConnection {
    /// A connection without pins and without a proxy.
    static func usual(roots: TrustRoots = .system) -> NodeConnection {
        NodeConnection(pins: .none, roots: roots, proxy: nil, unencryptedHosts: [])
    }

    /// A patient client of the tests.
    func client(
        to address: NodeAddress, connectTimeout: Duration = .seconds(Patience.seconds)
    ) throws(NodeError) -> PinnedClient {
        // A minute from now: the tests' certificates are valid from the second in which they are made.
        try client(to: address, userAgent: "fueki/test", connectTimeout: connectTimeout) {
            UInt64(Date().timeIntervalSince1970) + 60
        }
    }
}

/// Returns a client for a node that needs no pins and no proxy.
func client(to address: NodeAddress) throws(NodeError) -> PinnedClient {
    try NodeConnection.usual().client(to: address)
}
