internal import Encoding

/// What the TPM sealed, with what is needed to open it: `docs/formats/tpm.md`.
struct SealedObject: Equatable {
    private static let version: UInt8 = 1
    /// The size of a name: the algorithm and a SHA-256 digest.
    static let nameSize = 34

    /// The name of the storage root key. Another one means another TPM, or one that was cleared.
    let rootName: [UInt8]
    /// The registers of the policy; nil without a policy.
    let registers: PCRSelection?
    /// `TPM2B_PUBLIC`.
    let publicArea: [UInt8]
    /// The bytes of `TPM2B_PRIVATE`: the secret, encrypted by the TPM for itself.
    let privatePart: [UInt8]

    var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 400)
        writer.append(Self.version)
        writer.append(registers?.mask ?? [0, 0, 0])
        writer.append(rootName)
        writer.sized(publicArea)
        writer.sized(privatePart)
        return writer.bytes
    }

    init(rootName: [UInt8], registers: PCRSelection?, publicArea: [UInt8], privatePart: [UInt8]) {
        self.rootName = rootName
        self.registers = registers
        self.publicArea = publicArea
        self.privatePart = privatePart
    }

    /// Reads the encoding, and checks that the public area is one that this target makes for these registers.
    init(decoding bytes: [UInt8]) throws(EncodingError) {
        var reader = try ByteReader(bytes, limit: Limits.sealedObject)
        guard try reader.uint8() == Self.version else { throw .unsupported }
        registers = try PCRSelection.decode([UInt8](try reader.bytes(3)))
        rootName = [UInt8](try reader.bytes(Self.nameSize))
        publicArea = try reader.sized(limit: Limits.publicArea)
        privatePart = try reader.sized(limit: Limits.privatePart)
        try reader.finish()
        let policy = try PublicArea.policy(ofSealed: publicArea)
        // A secret with a policy must not be opened as one without, and the other way round.
        guard policy.isEmpty == (registers == nil), !privatePart.isEmpty else { throw .unsupported }
    }
}
