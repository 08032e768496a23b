internal import Curves
internal import Threshold

extension ECDSA {
    /// Round 3, to one signer, sealed: the multiplication, and the proof that it used the right numbers.
    struct MultiplicationMessage: Equatable {
        /// The part that is the same for all other signers.
        struct Opening: Equatable {
            /// R_i: its part of the nonce, to which it committed.
            let nonce: Secp256k1.Point
            let salt: [UInt8]
            /// X_i: its part of the key.
            let key: Secp256k1.Point
        }

        let multiplication: [UInt8]
        let opening: Opening
        /// Γᵤ and Γᵥ: the points of its shares of both products.
        let firstPoint: Secp256k1.Point
        let secondPoint: Secp256k1.Point
        /// ψ = φ - χ.
        let difference: Scalar<Secp256k1>

        /// R, salt, X, Γᵤ, Γᵥ, ψ, and then the multiplication.
        var encoded: [UInt8] {
            opening.nonce.encoded + opening.salt + opening.key.encoded + firstPoint.encoded + secondPoint.encoded
                + difference.encoded + multiplication
        }

        init(
            multiplication: [UInt8], opening: Opening, firstPoint: Secp256k1.Point, secondPoint: Secp256k1.Point,
            difference: Scalar<Secp256k1>
        ) {
            self.multiplication = multiplication
            self.opening = opening
            self.firstPoint = firstPoint
            self.secondPoint = secondPoint
            self.difference = difference
        }

        /// - Throws: `ThresholdError.malformed(_:)` or `ThresholdError.invalidElement`.
        init(decoding bytes: [UInt8]) throws(ThresholdError) {
            var reader = try MessageReader<Secp256k1>(body: bytes)
            let nonce = try reader.point()
            let salt = try reader.bytes(32)
            let key = try reader.point()
            opening = Opening(nonce: nonce, salt: salt, key: key)
            firstPoint = try reader.point()
            secondPoint = try reader.point()
            difference = try reader.scalar()
            multiplication = try reader.bytes(Multiplication.messageSize)
            try reader.finish()
        }
    }
}
