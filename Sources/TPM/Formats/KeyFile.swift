internal import Encoding

/// The file of a key whose private part only the TPM can read: `docs/formats/tpm.md`.
struct KeyFile: Equatable {
    private static let magic = [UInt8]("FuekiTPMKey".utf8)
    private static let version: UInt8 = 1
    static let saltSize = 32

    /// Whether the key has a PIN, whose wrong attempts the TPM counts.
    let hasPIN: Bool
    /// The salt between the PIN and the authorization.
    let salt: [UInt8]
    let rootName: [UInt8]
    let publicArea: [UInt8]
    let privatePart: [UInt8]
    /// The point of the key: 65 bytes.
    let x963: [UInt8]

    var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 500)
        writer.append(Self.magic)
        writer.append(Self.version)
        writer.append(hasPIN ? 1 : 0)
        writer.append(salt)
        writer.append(rootName)
        writer.sized(publicArea)
        writer.sized(privatePart)
        return writer.bytes
    }

    init(
        hasPIN: Bool, salt: [UInt8], rootName: [UInt8], publicArea: [UInt8], privatePart: [UInt8]
    ) throws(EncodingError) {
        self.hasPIN = hasPIN
        self.salt = salt
        self.rootName = rootName
        self.publicArea = publicArea
        self.privatePart = privatePart
        x963 = try PublicArea.point(ofSigning: publicArea, countsWrongPINs: hasPIN)
    }

    init(decoding bytes: [UInt8]) throws(EncodingError) {
        var reader = try ByteReader(bytes, limit: Limits.keyFile)
        guard try reader.bytes(Self.magic.count).elementsEqual(Self.magic), try reader.uint8() == Self.version
        else { throw .unsupported }
        let protection = try reader.uint8()
        guard protection <= 1 else { throw .unsupported }
        let salt = [UInt8](try reader.bytes(Self.saltSize))
        let rootName = [UInt8](try reader.bytes(SealedObject.nameSize))
        let publicArea = try reader.sized(limit: Limits.publicArea)
        let privatePart = try reader.sized(limit: Limits.privatePart)
        try reader.finish()
        guard !privatePart.isEmpty else { throw .unsupported }
        try self.init(
            hasPIN: protection == 1, salt: salt, rootName: rootName, publicArea: publicArea,
            privatePart: privatePart)
    }
}
