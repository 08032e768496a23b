internal import Secrets
internal import Synchronization

/// A decoder of input, with valid inputs from which a fuzzer begins.
struct FuzzEntry: Sendable {
    /// The name in `scripts/fuzz`: lower-case words with hyphens.
    let name: String
    /// Returns valid inputs, one of each shape.
    let seeds: @Sendable () throws -> [[UInt8]]
    /// Decodes an input and encodes the result, which has to give the same bytes. Throws, or returns nil, for an input
    /// that the decoder refuses. An entry whose decoder accepts several spellings of one value compares them itself,
    /// and returns the input.
    let recode: @Sendable ([UInt8]) throws -> [UInt8]?

    init(
        _ name: String, seeds: @autoclosure @escaping @Sendable () throws -> [[UInt8]],
        _ recode: @escaping @Sendable ([UInt8]) throws -> [UInt8]?
    ) {
        self.name = name
        self.seeds = seeds
        self.recode = recode
    }

    /// Creates an entry for a decoder of text.
    init(
        _ name: String, texts: @autoclosure @escaping @Sendable () throws -> [String],
        _ recode: @escaping @Sendable (String) throws -> String?
    ) {
        self.init(name, seeds: try texts().map { Array($0.utf8) }) { input in
            guard let text = String(validating: input, as: UTF8.self) else { return nil }
            return try recode(text).map { Array($0.utf8) }
        }
    }

    /// All entries by name.
    static let all = Dictionary(uniqueKeysWithValues: groups.joined().map { ($0.name, $0) })

    static let groups = [
        encoding, bitcoin, keys, ethereum, frost, sharing, ecdsa, pairSetup, storage, keyrings,
        appleStores, ceremonies, wallets, redaction, webAuthn, attestation, tokens, authAnswers, connections, auditLogs,
        exchange,
        tpm, files,
    ]
}

/// Returns an input as a secret.
func secret(_ input: [UInt8]) -> SecretBytes { SecretBytes(count: input.count) { $0.copyBytes(from: input) } }

/// Returns a secret's bytes, which is permitted because every secret here is an input, or made for a seed.
func exposed(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }

extension Optional {
    /// Returns the value of a seed or an input, which has to exist.
    func required() throws -> Wrapped {
        guard let self else { throw Missing() }
        return self
    }
}

private struct Missing: Error {}

/// A source of random bytes that gives the same seeds in each run (SplitMix64).
final class SeedRandom: RandomSource {
    private let state: Mutex<UInt64>

    init(_ seed: UInt64) { state = Mutex(seed) }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        state.withLock { state in
            for offset in buffer.indices {
                state &+= 0x9e37_79b9_7f4a_7c15
                var z = state
                z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
                z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
                buffer[offset] = UInt8(truncatingIfNeeded: z ^ (z >> 31))
            }
        }
    }
}

/// A value that is computed at its first use: a run needs the seeds of one entry only.
final class Once<Value: Sendable>: Sendable {
    private let make: @Sendable () throws -> Value
    private let made = Mutex<Result<Value, any Error>?>(nil)

    init(_ make: @escaping @Sendable () throws -> Value) { self.make = make }

    var value: Value {
        get throws {
            try made.withLock { made in
                let result = made ?? Result { try make() }
                made = result
                return result
            }.get()
        }
    }
}
