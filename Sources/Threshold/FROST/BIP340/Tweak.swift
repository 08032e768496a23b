public import Curves
internal import Encoding

extension FROST.BIP340 {
    /// One step from the group key to the key that signs (BIP-445, Tweaking Definition).
    ///
    /// - Warning: A signer computes tweaks from its own derivation: a BIP-32 path, a BIP-341 output. Tweaks from
    ///   another source would let that source choose the key that signs.
    public enum Tweak: Equatable, Sendable {
        /// Q + t·G: a step of unhardened BIP-32 derivation.
        case plain(Scalar<Secp256k1>)
        /// with_even_y(Q) + t·G: the taproot output tweak of BIP-341.
        case xOnly(Scalar<Secp256k1>)

        var scalar: Scalar<Secp256k1> {
            switch self {
            case .plain(let scalar), .xOnly(let scalar): scalar
            }
        }

        var isXOnly: Bool {
            switch self {
            case .plain: false
            case .xOnly: true
            }
        }

        func write(to writer: inout MessageWriter<Secp256k1>) {
            writer.byte(isXOnly ? 1 : 0)
            writer.scalar(scalar)
        }

        init(from reader: inout MessageReader<Secp256k1>) throws(ThresholdError) {
            switch try reader.byte() {
            case 0: self = .plain(try reader.scalar())
            case 1: self = .xOnly(try reader.scalar())
            default: throw .malformed(.unsupported)
            }
        }
    }

    /// A group's public key after its tweaks (BIP-445, Tweak Context).
    public struct TweakedKey: Equatable, Sendable {
        /// Q: the key before its y coordinate is made even.
        public let point: Secp256k1.Point
        /// gacc: 1, or -1 after an odd number of negations.
        let isNegated: Bool
        /// tacc: the sum that the tweaks add to the secret key.
        let addend: Scalar<Secp256k1>

        /// Applies the tweaks (TweakCtxInit and ApplyTweak).
        ///
        /// - Throws: ``ThresholdError/invalidTweak`` if a tweak gives an invalid key, or if there are too many.
        public init(_ publicKey: Secp256k1.Point, tweaks: [Tweak]) throws(ThresholdError) {
            guard tweaks.count <= ThresholdLimits.tweaks else { throw .invalidTweak }
            var point = publicKey
            var isNegated = false
            var addend: Scalar<Secp256k1> = .zero
            for tweak in tweaks {
                // g = -1 if the tweak is x-only and Q has an odd y, else 1
                if tweak.isXOnly, !point.hasEvenY {
                    point = -point
                    isNegated.toggle()
                    addend = -addend
                }
                // Q' = g·Q + t·G, gacc' = g·gacc, tacc' = t + g·tacc
                point = point + Secp256k1.Point.generator.multipliedVariableTime(by: tweak.scalar)
                addend = addend + tweak.scalar
                guard !point.isIdentity else { throw .invalidTweak }
            }
            self.point = point
            self.isNegated = isNegated
            self.addend = addend
        }

        /// The 32 bytes of the key for a BIP-340 verifier (GetXonlyPubkey).
        public var xOnly: [UInt8] { point.xOnly }

        /// g: -1 if Q has an odd y, since the verifier assumes an even one, else 1.
        private var finalSign: Scalar<Secp256k1> { point.hasEvenY ? .one : -.one }

        /// g·gacc: the sign of each share of the secret key.
        var shareSign: Scalar<Secp256k1> { isNegated ? -finalSign : finalSign }

        /// g·tacc: the sum that the tweaks add to the secret key, with the sign of the final key.
        var signedAddend: Scalar<Secp256k1> { finalSign * addend }
    }
}
