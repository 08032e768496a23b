internal import CSodium
public import Secrets

/// PBKDF2 (RFC 8018, 5.2): derives a key from a passphrase by many rounds of HMAC.
///
/// For formats that prescribe it: BIP-39 and Ethereum's keystore. This program's own formats use Argon2id.
public enum PBKDF2 {
    /// The HMAC of each round.
    public enum PseudorandomFunction: Sendable {
        /// HMAC with SHA-256: 32 bytes a round.
        case hmacSHA256
        /// HMAC with SHA-512: 64 bytes a round.
        case hmacSHA512
    }

    /// The largest result in bytes. The standard allows 2³² blocks; every format in use needs one or two.
    public static let mostBytes = 4_096

    /// Derives `count` bytes from a passphrase.
    ///
    /// The caller decides which numbers of rounds it accepts: a number from a file has to be checked before the rounds
    /// are run.
    ///
    /// - Parameters:
    ///   - count: the size of the result in bytes, 1...``mostBytes``.
    ///   - passphrase: any bytes. Text has to be in UTF-8, in one normal form.
    ///   - salt: any bytes. It is secret, because BIP-39 puts a passphrase there.
    ///   - rounds: the number of rounds, at least 1.
    public static func derive(
        count: Int, from passphrase: borrowing SecretBytes, salt: borrowing SecretBytes, rounds: UInt32,
        by function: PseudorandomFunction
    ) -> SecretBytes {
        precondition((1...mostBytes).contains(count), "PBKDF2 gives 1 to \(mostBytes) bytes here")
        precondition(rounds >= 1, "PBKDF2 needs one round at least")
        return switch function {
        case .hmacSHA256: derive(count, passphrase, salt, rounds, HMACSHA256Steps.self)
        case .hmacSHA512: derive(count, passphrase, salt, rounds, HMACSHA512Steps.self)
        }
    }

    private static func derive<Steps: HMACSteps>(
        _ count: Int, _ passphrase: borrowing SecretBytes, _ salt: borrowing SecretBytes, _ rounds: UInt32,
        _ steps: Steps.Type
    ) -> SecretBytes {
        let keyed = KeyedHMAC<Steps>(key: passphrase)
        return SecretBytes(count: count) { key in
            var first: UInt32 = 1
            for start in stride(from: 0, to: count, by: Steps.size) {
                let block = keyed.block(first, salt: salt, rounds: rounds)
                let end = min(start + Steps.size, count)
                block.withUnsafeBytes { block in
                    UnsafeMutableRawBufferPointer(rebasing: key[start..<end])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<(end - start)]))
                }
                first += 1
            }
        }
    }
}

/// HMAC with a fixed key: the hash's states after the inner and the outer pad, computed once.
///
/// Each round copies them, which saves half of the work.
private struct KeyedHMAC<Steps: HMACSteps>: ~Copyable {
    /// The two states, one after the other.
    private let states: SecretBytes

    init(key: borrowing SecretBytes) {
        Sodium.start()
        states = SecretBytes(fleeting: 2 * MemoryLayout<Steps.State>.stride) { memory in
            let (inner, outer) = Self.pair(in: memory)
            // A key longer than a block is hashed first (RFC 2104).
            let short = key.count > Steps.blockSize ? Self.hash(key) : key.clone()
            for (state, pad) in [(inner, UInt8(0x36)), (outer, UInt8(0x5c))] {
                let block = SecretBytes(fleeting: Steps.blockSize) { block in
                    short.withUnsafeBytes { block.copyMemory(from: $0) }
                    for position in block.indices { block[position] ^= pad }
                }
                Steps.start(state)
                block.withUnsafeBytes { Steps.take(state, $0.start, $0.count) }
            }
        }
    }

    /// Returns U₁ ⊕ … ⊕ U_rounds for one block of the result.
    borrowing func block(_ number: UInt32, salt: borrowing SecretBytes, rounds: UInt32) -> SecretBytes {
        // The states of a round, their input, and working memory, in one region that is wiped.
        let room = 2 * MemoryLayout<Steps.State>.stride
        return SecretBytes(fleeting: Steps.size) { sum in
            _ = SecretBytes(fleeting: room + 2 * Steps.blockSize) { memory in
                states.withUnsafeBytes { states in
                    let fresh = Self.pair(in: states)
                    let (inner, outer) = Self.pair(in: memory)
                    let end = room + Steps.blockSize
                    let block = UnsafeMutableRawBufferPointer(rebasing: memory[room..<end])
                    let schedule = UnsafeMutableRawBufferPointer(rebasing: memory[end...])
                    Self.pad(block)
                    let last = block.start

                    inner.update(from: fresh.inner, count: 1)
                    salt.withUnsafeBytes { if !$0.isEmpty { Steps.take(inner, $0.start, $0.count) } }
                    withUnsafeBytes(of: number.bigEndian) { Steps.take(inner, $0.start, $0.count) }
                    Steps.finish(inner, last)
                    Self.step(outer, from: fresh.outer, block, schedule)
                    sum.copyMemory(from: UnsafeRawBufferPointer(start: last, count: Steps.size))

                    for _ in 1..<rounds {
                        Self.step(inner, from: fresh.inner, block, schedule)
                        Self.step(outer, from: fresh.outer, block, schedule)
                        // Eight bytes at a time: single bytes cost a tenth of the total time.
                        for offset in stride(from: 0, to: Steps.size, by: 8) {
                            let word = UnsafeRawPointer(last).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                            sum.storeBytes(
                                of: word ^ sum.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
                                toByteOffset: offset, as: UInt64.self)
                        }
                    }
                }
            }
        }
    }

    /// Hashes the beginning of the block after a pad, and writes the hash over it.
    ///
    /// The block is already padded, always for the same length: one block is compressed, and the state is the hash. The
    /// library's own final step pads and wipes each time, which costs a tenth of the total time; here all memory is
    /// wiped once, after the last round.
    private static func step(
        _ state: UnsafeMutablePointer<Steps.State>, from fresh: UnsafePointer<Steps.State>,
        _ block: UnsafeMutableRawBufferPointer, _ schedule: UnsafeMutableRawBufferPointer
    ) {
        state.update(from: fresh, count: 1)
        Steps.takeBlock(state, block, schedule)
        Steps.write(state, block)
    }

    /// Writes the padding after a hash: one bit, zeros, and the number of hashed bits, including those of the HMAC pad
    /// (FIPS 180-4, 5.1).
    private static func pad(_ block: UnsafeMutableRawBufferPointer) {
        for position in Steps.size..<Steps.blockSize { block[position] = 0 }
        block[Steps.size] = 0x80
        let bits = UInt64(8 * (Steps.blockSize + Steps.size))
        block.storeBytes(of: bits.bigEndian, toByteOffset: Steps.blockSize - 8, as: UInt64.self)
    }

    private static func hash(_ key: borrowing SecretBytes) -> SecretBytes {
        SecretBytes(fleeting: Steps.size) { hash in
            _ = SecretBytes(fleeting: MemoryLayout<Steps.State>.stride) { memory in
                let state = memory.bindMemory(to: Steps.State.self)
                guard let state = state.baseAddress else { preconditionFailure("a buffer without memory") }
                Steps.start(state)
                key.withUnsafeBytes { Steps.take(state, $0.start, $0.count) }
                Steps.finish(state, hash.start)
            }
        }
    }

    private static func pair(
        in memory: UnsafeMutableRawBufferPointer
    ) -> (inner: UnsafeMutablePointer<Steps.State>, outer: UnsafeMutablePointer<Steps.State>) {
        guard let base = memory.bindMemory(to: Steps.State.self).baseAddress else {
            preconditionFailure("a buffer without memory")
        }
        return (base, base + 1)
    }

    private static func pair(
        in memory: UnsafeRawBufferPointer
    ) -> (inner: UnsafePointer<Steps.State>, outer: UnsafePointer<Steps.State>) {
        guard let base = memory.bindMemory(to: Steps.State.self).baseAddress else {
            preconditionFailure("a buffer without memory")
        }
        return (base, base + 1)
    }
}

/// The functions of one hash, on a libsodium state in memory that the caller wipes.
private protocol HMACSteps {
    associatedtype State
    static var size: Int { get }
    static var blockSize: Int { get }
    static func start(_ state: UnsafeMutablePointer<State>)
    static func take(_ state: UnsafeMutablePointer<State>, _ bytes: UnsafePointer<UInt8>, _ count: Int)
    static func finish(_ state: UnsafeMutablePointer<State>, _ hash: UnsafeMutablePointer<UInt8>)
    /// Compresses one whole block, between two blocks. The state's bit count may become wrong: the state is not
    /// finalized after that.
    ///
    /// - Parameter schedule: memory of a block's size.
    static func takeBlock(
        _ state: UnsafeMutablePointer<State>, _ block: UnsafeMutableRawBufferPointer,
        _ schedule: UnsafeMutableRawBufferPointer)
    /// Writes the words of a state between two blocks, big-endian. After padded input they are the hash.
    static func write(_ state: UnsafeMutablePointer<State>, _ hash: UnsafeMutableRawBufferPointer)
}

/// Writes the first words of a state, big-endian.
private func writeWords<Word: FixedWidthInteger>(
    _ state: UnsafeRawPointer, _ hash: UnsafeMutableRawBufferPointer, as word: Word.Type
) {
    for offset in stride(from: 0, to: 8 * MemoryLayout<Word>.size, by: MemoryLayout<Word>.size) {
        hash.storeBytes(
            of: state.load(fromByteOffset: offset, as: Word.self).bigEndian, toByteOffset: offset, as: Word.self)
    }
}

private enum HMACSHA256Steps: HMACSteps {
    static let size = 32
    static let blockSize = 64

    static func start(_ state: UnsafeMutablePointer<crypto_hash_sha256_state>) { crypto_hash_sha256_init(state) }

    static func take(
        _ state: UnsafeMutablePointer<crypto_hash_sha256_state>, _ bytes: UnsafePointer<UInt8>, _ count: Int
    ) { crypto_hash_sha256_update(state, bytes, UInt64(count)) }

    static func finish(_ state: UnsafeMutablePointer<crypto_hash_sha256_state>, _ hash: UnsafeMutablePointer<UInt8>) {
        crypto_hash_sha256_final(state, hash)
    }

    static func takeBlock(
        _ state: UnsafeMutablePointer<crypto_hash_sha256_state>, _ block: UnsafeMutableRawBufferPointer,
        _ schedule: UnsafeMutableRawBufferPointer
    ) { take(state, block.start, blockSize) }

    static func write(
        _ state: UnsafeMutablePointer<crypto_hash_sha256_state>, _ hash: UnsafeMutableRawBufferPointer
    ) { writeWords(state, hash, as: UInt32.self) }
}

private enum HMACSHA512Steps: HMACSteps {
    static let size = 64
    static let blockSize = 128

    static func start(_ state: UnsafeMutablePointer<crypto_hash_sha512_state>) { crypto_hash_sha512_init(state) }

    static func take(
        _ state: UnsafeMutablePointer<crypto_hash_sha512_state>, _ bytes: UnsafePointer<UInt8>, _ count: Int
    ) { crypto_hash_sha512_update(state, bytes, UInt64(count)) }

    static func finish(_ state: UnsafeMutablePointer<crypto_hash_sha512_state>, _ hash: UnsafeMutablePointer<UInt8>) {
        crypto_hash_sha512_final(state, hash)
    }

    static func takeBlock(
        _ state: UnsafeMutablePointer<crypto_hash_sha512_state>, _ block: UnsafeMutableRawBufferPointer,
        _ schedule: UnsafeMutableRawBufferPointer
    ) {
        guard let words = schedule.bindMemory(to: UInt64.self).baseAddress else {
            preconditionFailure("a buffer without memory")
        }
        // The eight words are at the beginning of libsodium's state.
        SHA512Compression.take(
            UnsafeRawPointer(block.start), into: UnsafeMutableRawPointer(state).assumingMemoryBound(to: UInt64.self),
            schedule: words)
    }

    static func write(
        _ state: UnsafeMutablePointer<crypto_hash_sha512_state>, _ hash: UnsafeMutableRawBufferPointer
    ) { writeWords(state, hash, as: UInt64.self) }
}
