internal import Encoding

/// Which extended key a key is said to come from, and by which steps: four bytes, and four for each step (BIP-174).
struct KeyOrigin: Equatable {
    let fingerprint: KeyFingerprint
    let path: DerivationPath

    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count.isMultiple(of: 4), var reader = try? ByteReader(bytes, limit: bytes.count),
            let fingerprint = try? reader.bytes(4)
        else { return nil }
        var steps: [DerivationPath.Step] = []
        while let number = try? reader.littleEndian(UInt32.self) {
            steps.append(DerivationPath.Step(number: number))
        }
        guard let path = try? DerivationPath(steps) else { return nil }
        self.fingerprint = KeyFingerprint(fourBytes: Array(fingerprint))
        self.path = path
    }
}
