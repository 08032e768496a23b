internal import Curves
internal import Encoding
internal import Secrets

extension ECDSA {
    /// What the two sides of the base transfers do alike: 256 instances of endemic oblivious transfer (Masny, Rindal, ePrint
    /// 2019/706, figure 8), with which a pair begins.
    struct BaseTransfer {
        /// Of the receiver and of the sender: two points of each instance.
        static let messageSize = rows * 2 * Secp256k1.pointSize

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

        /// P(b, k, r): a point of which nobody knows the logarithm. The time tells how many numbers were tried, and so something
        /// of the input: the receiver's secret bit must not choose for which inputs it is called.
        ///
        /// - Parameter bit: 0 or 1.
        func point(_ bit: UInt8, _ instance: Int, _ encoded: [UInt8]) -> Secp256k1.Point {
            var input = [bit, UInt8(instance >> 8), UInt8(instance & 255), 0, 0] + encoded
            defer { input.withUnsafeMutableBytes { wipe($0) } }
            for attempt in 0..<UInt16.max {
                input[3] = UInt8(attempt >> 8)
                input[4] = UInt8(attempt & 255)
                if let point = try? Secp256k1.Point(xOnly: points.hash(input)) { return point }
            }
            preconditionFailure("65,535 hashes of which none is on the curve: never seen")
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

        /// Where the two points of an instance are in a message.
        static func place(_ instance: Int, _ bit: Int) -> Int { (2 * instance + bit) * Secp256k1.pointSize }

        /// Reads one of the two points of an instance.
        ///
        /// - Throws: ``ThresholdError/invalidElement``, also for the identity.
        static func point(_ bit: Int, _ instance: Int, of message: [UInt8]) throws(ThresholdError) -> Secp256k1.Point {
            let start = place(instance, bit)
            do { return try Secp256k1.Point(encoded: message[start..<(start + Secp256k1.pointSize)]) } catch {
                throw .invalidElement
            }
        }

        /// - Throws: ``ThresholdError/malformed(_:)`` if a message has another size.
        static func check(size message: [UInt8]) throws(ThresholdError) {
            guard message.count >= messageSize else { throw .malformed(.truncated) }
            guard message.count == messageSize else { throw .malformed(.leftOver(count: message.count - messageSize)) }
        }
    }
}
