internal import Encoding

/// The kind of scripts that an extended key's prefix names (SLIP-132): `ypub`, `zpub` and others.
///
/// They are read, because other wallets show them, and never written: a descriptor is more precise.
public enum ScriptPrefix: CaseIterable, Hashable, Sendable {
    /// `ypub`, `upub`: P2WPKH in P2SH, BIP-49.
    case nestedSegwit
    /// `zpub`, `vpub`: P2WPKH, BIP-84.
    case segwit
    /// `Ypub`, `Upub`: P2WSH in P2SH, of several signers.
    case nestedMultisig
    /// `Zpub`, `Vpub`: P2WSH, of several signers.
    case multisig

    /// Returns the first four bytes of a public and of a private key.
    private func versions(isMainnet: Bool) -> (publicKey: UInt32, privateKey: UInt32) {
        switch (self, isMainnet) {
        case (.nestedSegwit, true): (0x049D_7CB2, 0x049D_7878)
        case (.segwit, true): (0x04B2_4746, 0x04B2_430C)
        case (.nestedMultisig, true): (0x0295_B43F, 0x0295_B005)
        case (.multisig, true): (0x02AA_7ED3, 0x02AA_7A99)
        case (.nestedSegwit, false): (0x044A_5262, 0x044A_4E28)
        case (.segwit, false): (0x045F_1CF6, 0x045F_18BC)
        case (.nestedMultisig, false): (0x0242_89EF, 0x0242_85B5)
        case (.multisig, false): (0x0257_5483, 0x0257_5048)
        }
    }

    /// Reads the prefix of a public or private key on any network; nil for `xpub`, `tpub`, and unknown ones.
    init?(version: UInt32) {
        let known = Self.allCases.first { prefix in
            [true, false].contains {
                let versions = prefix.versions(isMainnet: $0)
                return versions.publicKey == version || versions.privateKey == version
            }
        }
        guard let known else { return nil }
        self = known
    }

    /// Reads an extended public key whose prefix names its scripts.
    ///
    /// - Throws: what ``ExtendedPublicKey/init(_:on:)`` throws; ``HDKeyError/badKey`` also for `xpub` and `tpub`, which do
    ///   not say it.
    public static func read(
        _ text: String, on network: Network
    ) throws(HDKeyError) -> (scripts: ScriptPrefix, key: ExtendedPublicKey) {
        var bytes: [UInt8]
        do { bytes = try Base58Check.decode(text, limit: ExtendedPublicKey.encodedSize) } catch {
            throw .malformed(error)
        }
        let version = bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        guard let scripts = ScriptPrefix(version: version),
            let isMainnet = [true, false].first(where: { scripts.versions(isMainnet: $0).publicKey == version })
        else { throw .badKey }
        guard isMainnet == (network == .mainnet) else { throw .wrongNetwork }
        // With the standard prefix in place of its own, it is an extended key like any other.
        let standard = network.extendedKeyVersion
        bytes.replaceSubrange(..<4, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: standard >> UInt32($0)) })
        return (scripts, try ExtendedPublicKey.parse(bytes).key)
    }
}
