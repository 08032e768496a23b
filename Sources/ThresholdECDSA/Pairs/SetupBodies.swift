internal import Encoding
internal import Threshold

extension ECDSA.PairSetup {
    /// The parts of A's second message: its answer of the base transfers, the first trees, the extension of 128 rows.
    struct SecondBody {
        let transfer: [UInt8]
        let trees: [UInt8]
        let widening: [UInt8]

        /// - Throws: `ThresholdError.malformed(_:)` for another size.
        init(_ body: [UInt8]) throws(ThresholdError) {
            let parts = try parts(
                of: body,
                sizes: [
                    ECDSA.BaseTransfer.Layout.answers,
                    ECDSA.TreeMessage.treeSize * ECDSA.ExtensionShape.widening.trees,
                    ECDSA.ExtensionShape.widening.messageSize,
                ])
            (transfer, trees, widening) = (parts[0], parts[1], parts[2])
        }
    }

    /// The parts of B's third message: the second trees, and the extension of 256 rows.
    struct ThirdBody {
        let trees: [UInt8]
        let reverse: [UInt8]

        /// - Throws: `ThresholdError.malformed(_:)` for another size.
        init(_ body: [UInt8]) throws(ThresholdError) {
            let parts = try parts(
                of: body,
                sizes: [
                    ECDSA.TreeMessage.treeSize * ECDSA.ExtensionShape.reversing.trees,
                    ECDSA.ExtensionShape.reversing.messageSize,
                ])
            (trees, reverse) = (parts[0], parts[1])
        }
    }

    private static func parts(of body: [UInt8], sizes: [Int]) throws(ThresholdError) -> [[UInt8]] {
        guard body.count == sizes.reduce(0, +) else { throw .malformed(.unsupported) }
        var rest = body[...]
        return sizes.map { size in
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
    }
}
