import Curves
import Secrets
import Synchronization
import TestSupport
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

/// A session that is the same each time, with all of its inputs.
struct KnownSigning {
    let key: DealtKey
    let request: ECDSA.SigningRequest
    let message: [UInt8]
    /// The random bytes that each signer drew.
    let fresh: [[UInt8]]
    let run: SigningRun
    let result: ECDSA.RecoverableSignature

    /// - Parameter isPresigned: whether the message becomes known only after the third round.
    init(
        _ threshold: Int, of total: Int, signers: [Int], tweak: UInt64 = 0, isPresigned: Bool = false, seed: UInt64
    ) throws {
        let random = SeededRandom(seed: seed)
        key = try DealtKey(threshold, of: total, epoch: 3, random: random)
        message = random.publicBytes(count: 32)
        request = try ECDSA.SigningRequest(
            signers: signers.map(ParticipantIndex.init(unchecked:)), tweak: Scalar(tweak),
            message: isPresigned ? nil : message)
        let recorder = RecordingRandom(random)
        var run = SigningRun(request: request, group: key.group)
        result = try run.sign(key, message: message, random: recorder)
        self.run = run
        fresh = recorder.drawn
    }

    /// All messages, once each.
    var sent: [(step: SigningRun.Step, from: ParticipantIndex, to: ParticipantIndex, bytes: [UInt8])] {
        run.delivered.filter { $0.step != .commitment || $0.from == $0.to }
    }

    /// Step, sender, recipient and SHA-256 of each message.
    var digests: [String] {
        sent.map { "\($0.step.rawValue) \($0.from.value) \($0.to.value) " + hex(SHA256.hash($0.bytes)) }
    }

    /// The request for the same session to the model.
    func forModel() throws -> Model.Signing {
        var setup: [UInt8] = []
        var signers: [Model.Signer] = []
        for (index, fresh) in zip(request.signers, fresh) {
            try key.share(index).borrow { share in
                setup = share.setup
                let peers = request.signers.filter { $0 != index }
                signers.append(
                    Model.Signer(
                        index: index.value,
                        // Behind the header and the index.
                        share: hex(Array(reveal(share.key.encoded())[4..<36])),
                        fresh: hex(fresh), session: hex(run.session),
                        pairs: try peers.map { Model.Pair(try share.pair(with: $0)) }))
            }
        }
        return Model.Signing(
            group: .init(publicKey: hex(key.group.publicKey.encoded), fingerprint: hex(key.group.fingerprint)),
            setup: hex(setup), epoch: 3, tweak: hex(request.tweak.encoded), message: request.message.map { hex($0) },
            later: hex(message), signers: signers)
    }
}

/// Records the drawn bytes each time.
final class RecordingRandom: RandomSource {
    private let source: any RandomSource
    private let record = Mutex<[[UInt8]]>([])

    init(_ source: any RandomSource) { self.source = source }

    var drawn: [[UInt8]] { record.withLock { $0 } }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        source.fill(buffer)
        record.withLock { $0.append(Array(buffer)) }
    }
}
