internal import Secrets

extension ECDSA {
    /// The side of an extension that chooses: of each transfer it gets the pad of its bit.
    struct ExtensionReceiver: ~Copyable, Sendable {
        /// e: names this extension.
        let base: [UInt8]
        /// For the sender.
        let message: [UInt8]

        /// The columns of V.
        private let columns: SecretBytes

        /// - Parameters:
        ///   - choice: 80 bytes, of which the last 16 are uniform and used for nothing else.
        ///   - session: 32 bytes that no two extensions of these participants share.
        init(
            choice: borrowing SecretBytes, seeds: borrowing ReceiverSeeds, session: [UInt8], sender: ParticipantIndex,
            receiver: ParticipantIndex
        ) {
            precondition(choice.count == rowSize, "a choice has \(rowSize) bytes")
            let base = Extension.base(session: session, sender: sender, receiver: receiver)
            var message = [UInt8](repeating: 0, count: Extension.messageSize)
            columns = SecretBytes(fleeting: BitMatrix.words * 8) { columns in
                let columns = columns.origin.assumingMemoryBound(to: UInt64.self)
                choice.withUnsafeBytes { choice in
                    message.withUnsafeMutableBytes { message in
                        Extension.withWords(BitMatrix.words) { rows in
                            Self.expand(seeds, base, choice, rows, message)
                            BitMatrix.transpose(rows, to: columns)
                        }
                        Self.answer(base, choice, columns, message)
                    }
                }
            }
            self.base = base
            self.message = message
        }

        /// The rows of V, and c₀ ‖ … ‖ c₆₃.
        private static func expand(
            _ seeds: borrowing ReceiverSeeds, _ base: [UInt8], _ choice: UnsafeRawBufferPointer,
            _ rows: UnsafeMutablePointer<UInt64>, _ message: UnsafeMutableRawBufferPointer
        ) {
            let hash = LoopHash(base)
            seeds.bytes.withUnsafeBytes { seeds in
                Extension.withWords(leaves * Extension.pieceWords) { pieces in
                    for tree in 0..<trees {
                        Extension.expand(
                            seeds.part(tree * leaves * seedSize, leaves * seedSize), count: leaves, hash, to: pieces)
                        Extension.fold(pieces, to: rows + tree * treeDepth * BitMatrix.rowWords)
                        for word in 0..<BitMatrix.rowWords {
                            let bits = choice.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self)
                            message.storeBytes(
                                of: pieces[word] ^ bits, toByteOffset: tree * rowSize + 8 * word, as: UInt64.self)
                        }
                    }
                }
            }
        }

        /// x, and t₀ ‖ … ‖ t₁₂₇.
        private static func answer(
            _ base: [UInt8], _ choice: UnsafeRawBufferPointer, _ columns: UnsafePointer<UInt64>,
            _ message: UnsafeMutableRawBufferPointer
        ) {
            let check = ExtensionCheck(
                base: base, corrections: UnsafeRawBufferPointer(message).part(0, Extension.correctionsSize))
            Extension.withWords(BitMatrix.rowWords) { words in
                UnsafeMutableRawPointer(words).copyMemory(from: choice.origin, byteCount: rowSize)
                let (low, high) = check.map(choice: words)
                message.storeBytes(of: low, toByteOffset: Extension.correctionsSize, as: UInt64.self)
                message.storeBytes(of: high, toByteOffset: Extension.correctionsSize + 8, as: UInt64.self)
            }
            Extension.withWords(ExtensionCheck.columnsSize / 8) { mapped in
                check.map(columns, to: mapped)
                (message.origin + Extension.correctionsSize + ExtensionCheck.size)
                    .copyMemory(from: mapped, byteCount: ExtensionCheck.columnsSize)
            }
        }

        /// The pads of its bits, `width` of 32 bytes for each of the 512 transfers, column first.
        borrowing func pads(width: Int) -> SecretBytes {
            Extension.pads(
                of: columns, plus: SecretBytes(fleeting: columnSize) { _ in },
                base: Extension.padBase(base: base, message: message), width: width)
        }
    }
}
