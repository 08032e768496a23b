internal import AuthAPI
internal import ServerHTTP
internal import Synchronization

/// Hashes recovery codes of the old form, one at a time: any number of concurrent requests takes the memory of one
/// hash. The number of waiting requests is limited.
final class RecoveryHashing: Sendable {
    private actor Turn {
        func hash(_ hash: @Sendable () throws -> [UInt8]) throws -> [UInt8] { try hash() }
    }

    private let turn = Turn()
    private let waiting = Mutex(0)
    private let longest: Int
    private let hashOne: @Sendable (_ secret: [UInt8], _ salt: [UInt8]) throws -> [UInt8]

    /// - Parameters:
    ///   - longest: the highest number of codes that are being hashed or wait.
    ///   - hash: the function that hashes a secret with a salt.
    init(
        longest: Int = Limits.waitingRecoveryHashes,
        hash: @escaping @Sendable (_ secret: [UInt8], _ salt: [UInt8]) throws -> [UInt8] = OldRecoveryCode.hash
    ) {
        self.longest = longest
        hashOne = hash
    }

    /// Whether the next code would be refused.
    var isFull: Bool { waiting.withLock { $0 >= longest } }

    /// Hashes a secret: 32 bytes.
    ///
    /// - Throws: ``Secrets/Argon2id/OutOfMemory``; ``AuthAPI/Problem`` with ``AuthAPI/ProblemCode/unavailable`` if too
    ///   many codes wait.
    func hash(_ secret: [UInt8], salt: [UInt8]) async throws -> [UInt8] {
        let hasRoom = waiting.withLock { waiting in
            guard waiting < longest else { return false }
            waiting += 1
            return true
        }
        guard hasRoom else { throw Problem(.unavailable, retryAfter: 1) }
        defer { waiting.withLock { $0 -= 1 } }
        return try await offEventLoop { [turn, hashOne] in try await turn.hash { try hashOne(secret, salt) } }
    }
}
