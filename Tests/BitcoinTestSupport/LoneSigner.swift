package import Bitcoin
package import Curves
import Encoding
package import HDKeys
import Testing

/// A wallet with a known key, which never exists outside of tests, so that a test can sign alone.
package struct LoneSigner {
    package let secret: Scalar<Secp256k1>
    /// The second key, if there is one.
    package let ecdsaSecret: Scalar<Secp256k1>
    package let account: TaprootAccount
    package let accounts: BitcoinAccounts
    package let ownership: Ownership

    package init(secret: UInt64 = 7, ecdsa: UInt64? = nil, network: Network = .regtest, scanning count: UInt32 = 3)
        throws
    {
        try self.init(secret: Scalar(secret), ecdsa: ecdsa.map { Scalar($0) }, network: network, scanning: count)
    }

    package init(
        secret: Scalar<Secp256k1>, ecdsa: Scalar<Secp256k1>? = nil, network: Network, scanning count: UInt32 = 3
    ) throws {
        func point(_ secret: Scalar<Secp256k1>) -> Secp256k1.Point {
            Secp256k1.Point.generator.multipliedVariableTime(by: secret)
        }
        self.secret = secret
        ecdsaSecret = ecdsa ?? .zero
        account = try TaprootAccount(groupKey: point(secret), network: network)
        accounts =
            if let ecdsa {
                try BitcoinAccounts(
                    taproot: account, segwit: try SegwitAccount(groupKey: point(ecdsa), network: network))
            } else {
                BitcoinAccounts(taproot: account)
            }
        ownership = try Ownership(of: accounts, scanning: count)
    }

    /// Returns a wallet with both keys.
    package static func withBothKeys() throws -> LoneSigner { try LoneSigner(ecdsa: 6) }

    package var segwit: SegwitAccount {
        get throws { try #require(accounts.segwit) }
    }

    package func script(_ chain: AddressPath.Chain, _ index: UInt32) throws -> ScriptPubKey {
        try account.key(at: AddressPath(chain, index: index)).scriptPubKey
    }

    /// The secret key that results from the tweaks, applied as BIP-445 prescribes for FROST signers.
    package func tweakedSecret(_ tweaks: [KeyTweak]) -> Scalar<Secp256k1> {
        tweaks.reduce(secret) { secret, tweak in
            let isOdd = !Secp256k1.Point.generator.multipliedVariableTime(by: secret).hasEvenY
            return (tweak.isXOnly && isOdd ? -secret : secret) + tweak.scalar
        }
    }

    package func signature(for request: SigningRequest) throws -> [UInt8] {
        switch request.key {
        case .taproot(let key):
            try BIP340.sign(
                message: request.message, key: SecretScalar(tweakedSecret(key.tweaks)),
                auxiliary: [UInt8](repeating: 0, count: 32))
        case .segwit(let key):
            try ECDSASignature.sign(message: request.message, key: SecretScalar(ecdsaSecret + key.tweak)).compact
        }
    }

    package func sign(_ psbt: PSBT) throws -> PSBT {
        var signed = psbt
        for request in SpendSummary(of: psbt, for: ownership).signingRequests {
            try signed.insert(signature: try signature(for: request), for: request)
        }
        return signed
    }
}
