import Curves
import TestSupport
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

/// A second implementation of threshold ECDSA: `scripts/peers/dkls23`, in Python, written from
/// docs/protocols/threshold-ecdsa.md alone. Bytes are in hexadecimal; the meaning of each field is documented there.
enum Model {
    struct Pair: Codable, Equatable {
        let peer: Int
        let seed: String
        let delta: String
        let senderSeeds: String
        let receiverSeeds: String

        init(_ pair: ECDSA.Pair) {
            peer = pair.peer.value
            seed = hex(reveal(pair.seed))
            delta = hex(reveal(pair.coPaths.correlation()))
            senderSeeds = hex(pair.coPaths.seeds().flatMap { $0.flatMap { $0 } })
            receiverSeeds = hex(pair.roots.seeds().flatMap { $0.flatMap { $0 } })
        }

        enum CodingKeys: String, CodingKey {
            case peer, seed, delta
            case senderSeeds = "sender_seeds"
            case receiverSeeds = "receiver_seeds"
        }
    }

    struct Signer: Encodable {
        let index: Int
        let share: String
        let fresh: String
        let session: String
        let pairs: [Pair]
    }

    struct Signing: Encodable {
        struct Group: Encodable {
            let publicKey: String
            let fingerprint: String

            enum CodingKeys: String, CodingKey {
                case fingerprint
                case publicKey = "public_key"
            }
        }

        var op = "sign"
        let group: Group
        let setup: String
        let epoch: Int
        let tweak: String
        let message: String?
        let later: String
        let signers: [Signer]

        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(op, forKey: .op)
            try fields.encode(group, forKey: .group)
            try fields.encode(setup, forKey: .setup)
            try fields.encode(epoch, forKey: .epoch)
            try fields.encode(tweak, forKey: .tweak)
            // Present even without a message: a presignature is requested, not a message forgotten.
            try fields.encode(message, forKey: .message)
            try fields.encode(later, forKey: .later)
            try fields.encode(signers, forKey: .signers)
        }

        enum CodingKeys: String, CodingKey { case op, group, setup, epoch, tweak, message, later, signers }
    }

    struct Signed: Decodable {
        struct Message: Decodable {
            let from: Int
            /// Nil for a message to all.
            let to: Int?
            let message: String
        }

        let rounds: [[Message]]
        let r: String
        let s: String
        let recoveryID: Int

        enum CodingKeys: String, CodingKey {
            case rounds, r, s
            case recoveryID = "recovery_id"
        }
    }

    static func sign(_ signing: Signing) throws -> Signed {
        try Python.ask("dkls23", interpreter: Python.system, signing)
    }
}
