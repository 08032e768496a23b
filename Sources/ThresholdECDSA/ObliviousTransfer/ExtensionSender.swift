internal import Encoding
internal import Secrets
internal import Threshold

extension ECDSA {
    /// The sender of an extension: it knows both pads of each transfer, and must not learn the receiver's choice.
    struct ExtensionSender: ~Copyable, Sendable {
        /// e: names this extension.
        let base: [UInt8]

        private let shape: ExtensionShape
        /// The columns of Q.
        private let columns: SecretBytes
        private let correlation: SecretBytes
        private let padBase: [UInt8]

        /// Checks the receiver's message.
        ///
        /// - Parameter session: 32 bytes, unique among the extensions of these participants.
        /// - Throws: `ThresholdError.malformed(_:)` if it has another size; `ThresholdError.cheating(by:)` with the receiver if
        ///   the check fails. Each failure can reveal bits of Δ to the receiver: after one, Δ must not be used again.
        init(
            answering message: [UInt8], coPaths: borrowing CoPaths, shape: ExtensionShape, session: [UInt8],
            sender: ParticipantIndex, receiver: ParticipantIndex
        ) throws(ThresholdError) {
            precondition(coPaths.trees.count == shape.trees, "four rows of each tree")
            guard message.count >= shape.messageSize else { throw .malformed(.truncated) }
            guard message.count == shape.messageSize else {
                throw .malformed(.leftOver(count: message.count - shape.messageSize))
            }
            let base = Extension.base(session: session, sender: sender, receiver: receiver)
            let correlation = coPaths.correlation()
            var isSound = false
            let columns = SecretBytes(fleeting: shape.words * 8) { columns in
                let columns = columns.origin.assumingMemoryBound(to: UInt64.self)
                message.withUnsafeBytes { message in
                    correlation.withUnsafeBytes { correlation in
                        Extension.withWords(shape.words) { rows in
                            Self.expand(coPaths, base, shape, correlation, message, rows)
                            BitMatrix.transpose(
                                rows, to: columns, rowWords: shape.rowWords, columnWords: shape.columnWords)
                        }
                        isSound = Self.isSound(message, base, shape, correlation, columns)
                    }
                }
            }
            guard isSound else { throw .cheating(by: receiver) }
            self.base = base
            self.shape = shape
            self.columns = columns
            self.correlation = correlation
            padBase = Extension.padBase(base: base, message: message, shape: shape)
        }

        /// Computes the rows of Q.
        private static func expand(
            _ coPaths: borrowing CoPaths, _ base: [UInt8], _ shape: ExtensionShape,
            _ correlation: UnsafeRawBufferPointer, _ message: UnsafeRawBufferPointer,
            _ rows: UnsafeMutablePointer<UInt64>
        ) {
            let hash = LoopHash(base)
            Extension.withWords(leaves * shape.pieceWords) { pieces in
                coPaths.forEachTree { tree, seeds in
                    // The piece of y = 0 is unknown, and is left out of every row.
                    for word in 0..<shape.pieceWords { pieces[word] = 0 }
                    Extension.expand(seeds, hash, shape, to: pieces + shape.pieceWords)
                    let treeRows = rows + tree * treeDepth * shape.rowWords
                    Extension.fold(pieces, shape, to: treeRows)
                    for level in 0..<treeDepth {
                        let mask = Masks.mask(correlation, bit: tree * treeDepth + level)
                        for word in 0..<shape.rowWords {
                            treeRows[level * shape.rowWords + word] ^=
                                mask
                                & message.loadUnaligned(
                                    fromByteOffset: tree * shape.rowSize + 8 * word, as: UInt64.self)
                        }
                    }
                }
            }
        }

        /// Returns whether column p of the mapped Q is t_p, plus Δ where bit p of x is 1, for all p. In constant time.
        private static func isSound(
            _ message: UnsafeRawBufferPointer, _ base: [UInt8], _ shape: ExtensionShape,
            _ correlation: UnsafeRawBufferPointer, _ columns: UnsafePointer<UInt64>
        ) -> Bool {
            let check = ExtensionCheck(base: base, message: message, shape: shape)
            let x = message.part(shape.correctionsSize, ExtensionCheck.size)
            let sent = message.part(shape.correctionsSize + ExtensionCheck.size, shape.mappedSize)
            return Extension.withWords(shape.mappedSize / 8) { mapped in
                check.map(columns, to: mapped)
                for bit in 0..<ExtensionCheck.bits where x[bit / 8] >> (bit % 8) & 1 == 1 {
                    for word in 0..<shape.columnWords {
                        mapped[bit * shape.columnWords + word] ^=
                            correlation.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self)
                    }
                }
                return constantTimeEquals(UnsafeRawBufferPointer(start: mapped, count: shape.mappedSize), sent)
            }
        }

        /// Returns the pads of both bits, `width` of 32 bytes for each transfer, column first.
        borrowing func pads(width: Int) -> SenderPads {
            SenderPads(
                zero: pads(width, plus: SecretBytes(fleeting: shape.columnSize) { _ in }),
                one: pads(width, plus: correlation))
        }

        private borrowing func pads(_ width: Int, plus correlation: borrowing SecretBytes) -> SecretBytes {
            Extension.pads(of: columns, plus: correlation, base: padBase, width: width, shape: shape)
        }
    }

    /// The pads of a sender: for the bit 0, and for the bit 1.
    struct SenderPads: ~Copyable, Sendable {
        let zero: SecretBytes
        let one: SecretBytes
    }
}
