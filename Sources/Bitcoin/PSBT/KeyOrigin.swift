internal import Encoding
internal import HDKeys

/// The claimed origin of a key: the extended key's fingerprint in four bytes, and four bytes for each step (BIP-174).
struct KeyOrigin: Equatable {
    let fingerprint: KeyFingerprint
    let path: DerivationPath

    /// The origin of an account's key, as a PSBT that pays from it names it. For an imported account it starts at the
    /// mnemonic's master key, because other software with the same words looks for that.
    init(_ path: AddressPath, below key: ExtendedPublicKey, from origin: AccountOrigin?) {
        if let origin {
            fingerprint = origin.master
            self.path = origin.path(to: path)
            return
        }
        fingerprint = key.fingerprint
        let steps = [path.chain.rawValue, path.index].map(DerivationPath.Step.init(number:))
        guard let path = try? DerivationPath(steps) else { preconditionFailure("two steps are not too many") }
        self.path = path
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.append(fingerprint.bytes)
        for step in path.steps { writer.littleEndian(step.number) }
        return writer.bytes
    }

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
