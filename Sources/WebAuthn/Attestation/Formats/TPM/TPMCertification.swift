internal import Encoding

/// A TPM's certification of a key: a `TPMS_ATTEST` of the type `TPM_ST_ATTEST_CERTIFY`.
///
/// TPM 2.0 Part 2, sections 10.12.3 and 10.12.8.
struct TPMCertification: Equatable, Sendable {
    /// `TPM_GENERATED_VALUE`: a restricted key signs nothing else that begins with it.
    static let magic: UInt32 = 0xff54_4347
    /// `TPM_ST_ATTEST_CERTIFY`.
    static let certify: UInt16 = 0x8017

    /// `TPM2B_NAME`: two bytes of the algorithm, and the longest digest.
    private static let nameBytes = 2 + 64
    /// `TPM2B_DATA`: as much as a `TPMT_HA`.
    private static let dataBytes = 2 + 64
    /// Clock (8), resets (4), restarts (4), safe (1), version of the firmware (8). Not used here: a TPM may obfuscate
    /// them, and the byte of `safe` can be any byte.
    private static let clockAndFirmwareBytes = 25

    /// The caller's input to the TPM: the hash that binds the rest of the attestation.
    let extraData: [UInt8]
    /// The name of the certified key: the hash's number (2 bytes), and the hash of its public area.
    let name: [UInt8]

    /// The errors of a certification.
    enum Fault: Error, Equatable {
        case magic, type, structure
    }

    /// - Throws: ``Fault``.
    init(decoding bytes: [UInt8]) throws(Fault) {
        // The longest structure of this type has 4 + 2 + 68 + 68 + 25 + 68 + 68 bytes.
        guard var reader = try? ByteReader(bytes, limit: 512) else { throw .structure }
        do {
            guard try reader.bigEndian(UInt32.self) == Self.magic else { throw Fault.magic }
            guard try reader.bigEndian(UInt16.self) == Self.certify else { throw Fault.type }
            // qualifiedSigner
            _ = try reader.tpm2B(limit: Self.nameBytes)
            extraData = try reader.tpm2B(limit: Self.dataBytes)
            _ = try reader.bytes(Self.clockAndFirmwareBytes)
            name = try reader.tpm2B(limit: Self.nameBytes)
            // qualifiedName
            _ = try reader.tpm2B(limit: Self.nameBytes)
            try reader.finish()
        } catch let fault as Fault {
            throw fault
        } catch {
            throw .structure
        }
    }
}
