internal import CSecp256k1
internal import Secrets

/// The encoding of points by both coordinates: x ‖ y, 32 bytes each, big-endian. It is twice as long as the standard
/// form, but decoding needs no square root, which costs forty times as much as the rest: for protocols that send
/// hundreds.
extension Secp256k1.Point {
    package static let coordinatesSize = 64

    /// Decodes a point.
    ///
    /// - Throws: ``CurvesError/wrongSize(expected:got:)``, or ``CurvesError/invalidPoint`` for a point that is not on
    ///   the curve.
    package init(coordinates bytes: UnsafeRawBufferPointer) throws(CurvesError) {
        guard bytes.count == Self.coordinatesSize else {
            throw .wrongSize(expected: Self.coordinatesSize, got: bytes.count)
        }
        let key = Self.withUncompressed { memory -> secp256k1_pubkey? in
            memory[0] = UInt8(SECP256K1_TAG_PUBKEY_UNCOMPRESSED)
            UnsafeMutableRawBufferPointer(rebasing: memory[1...]).copyMemory(from: bytes)
            var key = secp256k1_pubkey()
            let result = secp256k1_ec_pubkey_parse(Secp256k1.Context.shared.pointer, &key, memory.start, memory.count)
            return result == 1 ? key : nil
        }
        guard let key else { throw .invalidPoint }
        self.init(key)
    }

    /// Writes the point in ``coordinatesSize`` bytes.
    ///
    /// - Precondition: the point is not the identity.
    package func write(coordinates output: UnsafeMutableRawBufferPointer) {
        withCoordinates { output.copyMemory(from: $0) }
    }

    /// Writes y alone, in half of ``coordinatesSize`` bytes.
    ///
    /// - Precondition: the point is not the identity.
    package func write(y output: UnsafeMutableRawBufferPointer) {
        withCoordinates {
            output.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[(Self.coordinatesSize / 2)...]))
        }
    }

    private func withCoordinates(_ body: (UnsafeRawBufferPointer) -> Void) {
        guard var key else { preconditionFailure("the identity has no coordinates") }
        Self.withUncompressed { memory in
            var size = memory.count
            secp256k1_ec_pubkey_serialize(
                Secp256k1.Context.shared.pointer, memory.start, &size, &key, UInt32(SECP256K1_EC_UNCOMPRESSED))
            body(UnsafeRawBufferPointer(rebasing: memory[1...]))
        }
    }

    /// Calls `body` with memory for the library's form, which begins with an additional byte. The memory is wiped,
    /// because the choice of points may be secret.
    private static func withUncompressed<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        withUnsafeTemporaryAllocation(byteCount: 1 + coordinatesSize, alignment: 1) { memory in
            defer { wipe(memory) }
            return body(memory)
        }
    }
}
