import Curves
import HDKeys
import TestSupport
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

/// The accounts of the mnemonic in BIP-84 and BIP-86.
@Suite("Imported wallets: the addresses of the standards")
struct ImportedAddressTests {
    private func addresses(in file: String) throws -> [String] {
        try Vectors.json(file)["addresses"].array(of: 3).map { try $0["address"].string }
    }

    @Test("an imported wallet has the addresses of BIP-84 and BIP-86 for its mnemonic")
    func standard() throws {
        let imported = try ZeroMnemonic.keys(for: .bitcoin, on: .mainnet).imported
        guard case .bitcoin(let taproot, let segwit) = imported.account else { throw CustodyError.malformedRecord }
        // Only the public keys of the shares matter here.
        let keys = try KnownWallet().record.keys
        let record = try WalletRecord.known(
            GroupKeys(
                schnorr: .of(taproot.point), ecdsa: .of(segwit.point), ed25519: keys.ed25519),
            network: .mainnet, imported: imported)
        for (type, file, path) in [
            (WalletAddress.Kind.taproot, "bip86", "m/86'/0'/0'"), (.segwit, "bip84", "m/84'/0'/0'"),
        ] {
            let found = try [(AddressPath.Chain.receive, UInt32(0)), (.receive, 1), (.change, 0)].map {
                try record.address(type, at: $0, index: $1)
            }
            #expect(try found.map(\.address) == addresses(in: file))
            #expect(found.map(\.path) == ["\(path)/0/0", "\(path)/0/1", "\(path)/1/0"])
        }
    }
}

extension GroupKey<Secp256k1> {
    /// A key of 2 of 3 shares, of a polynomial that nobody knows.
    fileprivate static func of(_ publicKey: Secp256k1.Point) throws -> GroupKey {
        let polynomial = PolynomialCommitment<Secp256k1>(
            uncheckedCoefficients: [publicKey, .generator])
        let parameters = try ThresholdParameters(threshold: 2, total: 3)
        return try GroupKey(
            parameters: parameters, publicKey: publicKey,
            verificationShares: parameters.indices.map(polynomial.share(of:)))
    }
}
