internal import Encoding
internal import Secrets

@testable internal import TPM

extension FuzzEntry {
    /// The files and answers of the library TPM.
    static let tpm: [FuzzEntry] = [
        FuzzEntry("tpm-sealed", seeds: SeedTPM.sealed) { try SealedObject(decoding: $0).encoded },
        FuzzEntry("tpm-key", seeds: try SeedTPM.keys) { try KeyFile(decoding: $0).encoded },
        FuzzEntry("tpm-registers", seeds: [[0x81, 0, 0], [0, 0, 0]]) { input in
            try PCRSelection.decode(input)?.mask ?? input
        },
        // The answer has many properties that are not kept.
        FuzzEntry("tpm-attempts", seeds: [SeedTPM.properties]) { input in
            let state = try DictionaryAttackState(decoding: input)
            precondition(state.attemptsLeft >= 0, "a negative number of attempts")
            return input
        },
    ]
}

private enum SeedTPM {
    private static func random(_ count: Int) -> [UInt8] { SeedRandom(UInt64(count)).publicBytes(count: count) }
    private static let name = random(SealedObject.nameSize)

    static var sealed: [[UInt8]] {
        [nil, try? PCRSelection([7])].map { registers in
            SealedObject(
                rootName: name, registers: registers,
                publicArea: PublicArea.sealed(policy: registers == nil ? [] : random(32), unique: random(32)),
                privatePart: random(160)
            ).encoded
        }
    }

    static var keys: [[UInt8]] {
        get throws {
            try [true, false].map { hasPIN in
                try KeyFile(
                    hasPIN: hasPIN, salt: random(KeyFile.saltSize), rootName: name,
                    publicArea: PublicArea.signing(countsWrongPINs: hasPIN, x: random(32), y: random(32)),
                    privatePart: random(126)
                ).encoded
            }
        }
    }

    static var properties: [UInt8] {
        let list: [(UInt32, UInt32)] = [(0x200, 4), (0x20e, 1), (0x20f, 32), (0x210, 7200), (0x211, 86400)]
        var writer = ByteWriter()
        writer.bigEndian(UInt32(6))
        writer.bigEndian(UInt32(list.count))
        for (property, value) in list {
            writer.bigEndian(property)
            writer.bigEndian(value)
        }
        return writer.bytes
    }
}
