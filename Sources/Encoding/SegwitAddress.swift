/// Addresses of native witness outputs: a witness version and program in Bech32 or Bech32m (BIP-173, BIP-350).
public enum SegwitAddress {
    /// Encodes an address, in lower case.
    ///
    /// - Parameters:
    ///   - hrp: the human-readable part, which names the network: `bc`, `tb`, `bcrt` and others.
    ///   - version: the witness version, 0...16.
    ///   - program: 2...40 bytes; 20 or 32 for version 0.
    /// - Throws: ``EncodingError/unsupported`` for another version or size, and the errors of ``Bech32`` for `hrp`.
    public static func encode(hrp: String, version: Int, program: [UInt8]) throws(EncodingError) -> String {
        guard (0...16).contains(version), isAllowed(size: program.count, version: version) else { throw .unsupported }
        return try Bech32.encode(
            hrp: hrp, data5: [UInt8(version)] + Bech32.groups5(of: program), checksum: checksum(version: version))
    }

    /// Decodes an address into its parts.
    ///
    /// - Warning: any network is accepted. The caller compares `hrp` with the one of its own network.
    /// - Returns: the human-readable part in lower case, the witness version, 0...16, and the program, 2...40 bytes.
    /// - Throws: the errors of ``Bech32``; ``EncodingError/truncated`` if the version is missing,
    ///   ``EncodingError/badChecksum`` if the checksum is the one for other versions, ``EncodingError/notCanonical``
    ///   for left-over bits, ``EncodingError/unsupported`` for a version above 16 or a program size that does not
    ///   exist.
    public static func decode(
        _ address: String
    ) throws(EncodingError) -> (hrp: String, version: Int, program: [UInt8]) {
        let (hrp, data5, found) = try Bech32.decode(address)
        guard let first = data5.first else { throw .truncated }
        let version = Int(first)
        guard version <= 16 else { throw .unsupported }
        // With the other checksum, an inserted or deleted character may have gone unnoticed (BIP-350).
        guard found == checksum(version: version) else { throw .badChecksum }
        let program = try Bech32.bytes(ofGroups5: data5.dropFirst())
        guard isAllowed(size: program.count, version: version) else { throw .unsupported }
        return (hrp, version, program)
    }

    static func checksum(version: Int) -> Bech32.Checksum { version == 0 ? .bech32 : .bech32m }

    /// Returns whether a version allows a program of this size. By BIP-141 a program of version 0 is the hash of a key
    /// or of a script; later versions are not restricted yet.
    static func isAllowed(size: Int, version: Int) -> Bool {
        version == 0 ? size == 20 || size == 32 : (2...40).contains(size)
    }
}
