internal import Curves
internal import Encoding
internal import Secrets
internal import Threshold

extension ECDSA {
    /// The computations that both sides of the base transfers share: 128 instances of endemic oblivious transfer
    /// (Masny, Rindal, ePrint 2019/706, figure 8), with which pairing begins.
    struct BaseTransfer {
        let session: [UInt8]
        let sender: ParticipantIndex
        let receiver: ParticipantIndex
        private let points: LoopHash

        /// - Parameter session: the session of the whole pairing, 32 bytes.
        init(session: [UInt8], sender: ParticipantIndex, receiver: ParticipantIndex) {
            self.session = session
            self.sender = sender
            self.receiver = receiver
            points = LoopHash(
                TaggedHash.hash("base ot", session, [UInt8(sender.value)], [UInt8(receiver.value)]))
        }

        /// Returns p, the hash of the pads.
        func padHash(message: [UInt8]) -> LoopHash {
            LoopHash(
                TaggedHash.hash("base ot pads", session, [UInt8(sender.value)], [UInt8(receiver.value)], message))
        }

        /// Writes the pad of one instance and bit.
        static func pad(
            _ hash: LoopHash, _ bit: UInt8, _ instance: Int, _ product: borrowing SecretBytes,
            to pad: UnsafeMutableRawPointer
        ) {
            Extension.withWords(5) { words in
                let input = UnsafeMutableRawBufferPointer(start: words, count: 3 + Secp256k1.pointSize)
                input[0] = bit
                input[1] = UInt8(instance >> 8)
                input[2] = UInt8(instance & 255)
                product.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: input[3...]).copyMemory(from: $0) }
                hash.hash(UnsafeRawBufferPointer(input), to: pad)
            }
        }

        /// The offsets of a message's parts. Points are encoded by their coordinates, since there are hundreds.
        enum Layout {
            static let point = Secp256k1.Point.coordinatesSize
            /// The size of x, or y.
            static let coordinate = point / 2
            /// r₀ ‖ r₁ ‖ y₀ ‖ y₁
            static let choice = 2 * point + 2 * coordinate
            /// T₀ ‖ T₁
            static let answer = 2 * point
            static let choices = baseTransfers * choice
            static let answers = baseTransfers * answer

            /// Returns the offset of y of P for this bit.
            static func y(_ bit: Int) -> Int { 2 * point + bit * coordinate }
        }

        /// Checks the size of a message.
        ///
        /// - Throws: `ThresholdError.malformed(_:)` if a message has another size.
        static func check(size message: [UInt8], _ size: Int) throws(ThresholdError) {
            guard message.count >= size else { throw .malformed(.truncated) }
            guard message.count == size else { throw .malformed(.leftOver(count: message.count - size)) }
        }
    }
}

extension ECDSA.BaseTransfer {
    /// Returns P(b, k, r): the point of unknown logarithm with an even y and the hash as its x; nil for about every
    /// second input, which has none.
    ///
    /// - Parameters:
    ///   - bit: 0 or 1.
    ///   - instance: the instance k.
    ///   - point: r, by its coordinates.
    func point(_ bit: UInt8, _ instance: Int, _ point: UnsafeRawBufferPointer) -> Secp256k1.Point? {
        withCoordinates { coordinates in
            hash(bit, instance, point, to: coordinates.origin)
            return try? Secp256k1.Point(xOnly: UnsafeRawBufferPointer(coordinates).part(0, Layout.coordinate))
        }
    }

    /// Returns P from the receiver's y, without a square root; nil if y does not belong to the hash, or is odd.
    func point(
        _ bit: UInt8, _ instance: Int, _ point: UnsafeRawBufferPointer, y: UnsafeRawBufferPointer
    ) -> Secp256k1.Point? {
        guard y[Layout.coordinate - 1] & 1 == 0 else { return nil }
        return withCoordinates { coordinates in
            hash(bit, instance, point, to: coordinates.origin)
            coordinates.part(Layout.coordinate, Layout.coordinate).copyMemory(from: y)
            return try? Secp256k1.Point(coordinates: UnsafeRawBufferPointer(coordinates))
        }
    }

    /// Returns F(h; b ‖ k ‖ r), with r in its standard form.
    private func hash(
        _ bit: UInt8, _ instance: Int, _ point: UnsafeRawBufferPointer, to output: UnsafeMutableRawPointer
    ) {
        ECDSA.Extension.withWords(5) { words in
            let input = UnsafeMutableRawBufferPointer(start: words, count: 3 + Secp256k1.pointSize)
            input[0] = bit
            input[1] = UInt8(instance >> 8)
            input[2] = UInt8(instance & 255)
            input[3] = 2 | point[Layout.point - 1] & 1
            input.part(4, Layout.coordinate).copyMemory(from: point.part(0, Layout.coordinate))
            points.hash(UnsafeRawBufferPointer(input), to: output)
        }
    }

    private func withCoordinates<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        ECDSA.Extension.withWords(Layout.point / 8) {
            body(UnsafeMutableRawBufferPointer(start: $0, count: Layout.point))
        }
    }
}
