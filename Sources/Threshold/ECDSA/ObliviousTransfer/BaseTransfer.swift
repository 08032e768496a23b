internal import Curves
internal import Encoding
internal import Secrets

extension ECDSA {
    /// What the two sides of the base transfers do alike: 256 instances of endemic oblivious transfer (Masny, Rindal, ePrint
    /// 2019/706, figure 8), with which a pair begins.
    struct BaseTransfer {
        let session: [UInt8]
        let sender: ParticipantIndex
        let receiver: ParticipantIndex
        private let points: LoopHash

        /// - Parameter session: 32 bytes, of the whole set-up.
        init(session: [UInt8], sender: ParticipantIndex, receiver: ParticipantIndex) {
            self.session = session
            self.sender = sender
            self.receiver = receiver
            points = LoopHash(
                Oracle.hash("base ot", session, [UInt8(sender.value)], [UInt8(receiver.value)]))
        }

        /// p: of the pads.
        func padHash(message: [UInt8]) -> LoopHash {
            LoopHash(
                Oracle.hash("base ot pads", session, [UInt8(sender.value)], [UInt8(receiver.value)], message))
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

        /// Where the parts of a message are: both points of an instance by their coordinates, for they are hundreds.
        enum Layout {
            static let point = Secp256k1.Point.coordinatesSize
            /// c ‖ y of one P.
            static let hint = 1 + fieldSize
            static let fieldSize = 32
            /// r₀ ‖ r₁ ‖ c₀ ‖ y₀ ‖ c₁ ‖ y₁
            static let choice = 2 * point + 2 * hint
            /// T₀ ‖ T₁
            static let answer = 2 * point
            static let choices = rows * choice
            static let answers = rows * answer

            static func hint(_ bit: Int) -> Int { 2 * point + bit * hint }
        }

        /// - Throws: ``ThresholdError/malformed(_:)`` if a message has another size.
        static func check(size message: [UInt8], _ size: Int) throws(ThresholdError) {
            guard message.count >= size else { throw .malformed(.truncated) }
            guard message.count == size else { throw .malformed(.leftOver(count: message.count - size)) }
        }
    }
}

extension ECDSA.BaseTransfer {
    /// P(b, k, c, r): a point of which nobody knows the logarithm, with an even y and the hash as its x, for the least c for which
    /// there is one. Writes c ‖ y, with which the other side has the same point without trying, and without the square root.
    ///
    /// The time tells how many numbers were tried, and so something of the input: the receiver's secret bit must not choose for
    /// which inputs it is called.
    ///
    /// - Parameters:
    ///   - bit: 0 or 1.
    ///   - point: r, by its coordinates.
    func find(
        _ bit: UInt8, _ instance: Int, _ point: UnsafeRawBufferPointer, hint: UnsafeMutableRawBufferPointer
    ) -> Secp256k1.Point {
        withCoordinates { coordinates in
            for attempt in UInt8.min...UInt8.max {
                hash(bit, instance, attempt, point, to: coordinates.origin)
                let x = UnsafeRawBufferPointer(coordinates).part(0, Layout.fieldSize)
                guard let found = try? Secp256k1.Point(xOnly: x) else { continue }
                found.write(coordinates: coordinates)
                hint[0] = attempt
                hint.part(1, Layout.fieldSize)
                    .copyMemory(from: UnsafeRawBufferPointer(coordinates).part(Layout.fieldSize, Layout.fieldSize))
                return found
            }
            preconditionFailure("256 hashes of which none is on the curve: never seen")
        }
    }

    /// P, as the receiver found it; nothing if y is not that of the hash, or odd. Any c will do, for it is hashed.
    func point(
        _ bit: UInt8, _ instance: Int, _ point: UnsafeRawBufferPointer, hint: UnsafeRawBufferPointer
    ) -> Secp256k1.Point? {
        guard hint[Layout.hint - 1] & 1 == 0 else { return nil }
        return withCoordinates { coordinates in
            hash(bit, instance, hint[0], point, to: coordinates.origin)
            coordinates.part(Layout.fieldSize, Layout.fieldSize).copyMemory(from: hint.part(1, Layout.fieldSize))
            return try? Secp256k1.Point(coordinates: UnsafeRawBufferPointer(coordinates))
        }
    }

    /// F(h; b ‖ k ‖ c ‖ r), with r in its standard form.
    private func hash(
        _ bit: UInt8, _ instance: Int, _ attempt: UInt8, _ point: UnsafeRawBufferPointer,
        to output: UnsafeMutableRawPointer
    ) {
        ECDSA.Extension.withWords(5) { words in
            let input = UnsafeMutableRawBufferPointer(start: words, count: 4 + Secp256k1.pointSize)
            input[0] = bit
            input[1] = UInt8(instance >> 8)
            input[2] = UInt8(instance & 255)
            input[3] = attempt
            input[4] = 2 | point[Layout.point - 1] & 1
            input.part(5, Layout.fieldSize).copyMemory(from: point.part(0, Layout.fieldSize))
            points.hash(UnsafeRawBufferPointer(input), to: output)
        }
    }

    private func withCoordinates<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        ECDSA.Extension.withWords(Layout.point / 8) {
            body(UnsafeMutableRawBufferPointer(start: $0, count: Layout.point))
        }
    }
}
