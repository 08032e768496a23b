import Synchronization
import Wallet

@testable import Ceremonies

/// An authorizer that records the intents that it is asked about.
final class NotingAuthorizer: SigningAuthorizer {
    private let noted = Mutex<[(payload: SigningPayload, intent: Intent)]>([])
    private let error: CeremonyError?

    init(refusing error: CeremonyError? = nil) { self.error = error }

    private let left = Mutex<[[UInt8]]>([])

    /// The digests for which a part of a signature was reported to leave.
    var released: [[UInt8]] { left.withLock { $0 } }
    var asked: [(payload: SigningPayload, intent: Intent)] { noted.withLock { $0 } }

    func admit(_ payload: SigningPayload, meaning intent: Intent) async throws(CeremonyError) {
        noted.withLock { $0.append((payload, intent)) }
        if let error { throw error }
    }

    func willSendSignature(of digest: [UInt8]) { left.withLock { $0.append(digest) } }
}
