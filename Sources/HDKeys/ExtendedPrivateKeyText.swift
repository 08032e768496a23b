internal import Curves
internal import Encoding
public import Secrets

// The text form `xprv…` and `tprv…` (BIP-32, serialization format), in guarded memory throughout.
extension ExtendedPrivateKey {
    /// Returns `xprv…` on mainnet, `tprv…` on all others, as UTF-8, only to move a wallet to other software.
    public borrowing func exportedText(on network: Network, danger: Danger) -> SecretBytes {
        SecretBase58Check.encode(
            SecretBytes(fleeting: ExtendedPublicKey.encodedSize) { bytes in
                var writer = ByteWriter(reserving: 13)
                writer.bigEndian(network.extendedPrivateKeyVersion)
                writer.append(depth)
                writer.append(parentFingerprint.bytes)
                writer.bigEndian(childNumber)
                bytes.copyBytes(from: writer.bytes)
                chainCode.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: bytes[13..<45]).copyMemory(from: $0)
                }
                // A zero in place of a public key's parity.
                key.encoded().withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: bytes[46...]).copyMemory(from: $0)
                }
            })
    }

    /// Reads `xprv…` or `tprv…`, without other characters.
    ///
    /// - Throws: ``HDKeyError/malformed(_:)``; ``HDKeyError/wrongNetwork``; ``HDKeyError/otherScripts(_:)`` for `zprv…`
    ///   and others of its kind; ``HDKeyError/badKey`` for a public key, an invalid private key, and a master key that
    ///   names a parent.
    public init(text: borrowing SecretBytes, on network: Network) throws(HDKeyError) {
        let bytes = try Self.bytes(of: text)
        let (version, depth, parent, childNumber) = bytes.withUnsafeBytes { bytes in
            (
                UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)), bytes[4],
                KeyFingerprint(fourBytes: Array(bytes[5..<9])),
                UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 9, as: UInt32.self))
            )
        }
        if let scripts = ScriptPrefix(version: version) { throw .otherScripts(scripts) }
        guard Network.allCases.contains(where: { $0.extendedPrivateKeyVersion == version }) else { throw .badKey }
        guard version == network.extendedPrivateKeyVersion else { throw .wrongNetwork }
        guard depth > 0 || (parent == .none && childNumber == 0) else { throw .badKey }
        guard bytes.withUnsafeBytes({ $0[45] == 0 }) else { throw .badKey }
        try self.init(
            depth: depth, parentFingerprint: parent, childNumber: childNumber, chainCode: bytes.prefix(45).suffix(32),
            key: try Self.scalar(bytes.suffix(32)))
    }

    private static func bytes(of text: borrowing SecretBytes) throws(HDKeyError) -> SecretBytes {
        do { return try SecretBase58Check.decode(text, size: ExtendedPublicKey.encodedSize) } catch {
            throw .malformed(error)
        }
    }
}
