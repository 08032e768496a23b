internal import Crypto
internal import Encoding
public import Secrets
internal import Synchronization
public import Time

/// A server's nonces for proofs (RFC 9449 section 8), which it does not store: each is the time, and an HMAC of it.
///
/// Time is divided into buckets of one lifetime. A nonce names its bucket, and is accepted in it and in the next:
/// between one and two lifetimes long. So the client's clock does not matter, which in practice may be minutes off.
public struct ProofNonces: Sendable {
    private let key: SymmetricKey
    /// The keys of earlier and later nonces.
    private var others: [SymmetricKey] = []
    private let lifetime: Int64
    private let last = Last()

    /// The nonce that was issued last: all responses of a bucket have it, and nearly all proofs.
    private final class Last: Sendable {
        private let nonce = Mutex<(bucket: Int64, text: String)?>(nil)

        func text(of bucket: Int64, or make: () -> String) -> String {
            nonce.withLock { nonce in
                if let nonce, nonce.bucket == bucket { return nonce.text }
                let text = make()
                nonce = (bucket, text)
                return text
            }
        }

        /// Returns the bucket of a nonce, if it is this one. Timing reveals nothing, because every response contains
        /// the nonce.
        func bucket(of text: String) -> Int64? {
            nonce.withLock { nonce in
                guard let nonce, nonce.text.utf8.elementsEqual(text.utf8) else { return nil }
                return nonce.bucket
            }
        }
    }

    /// Creates a server's source of nonces.
    ///
    /// - Parameters:
    ///   - secret: 32 random bytes that all replicas share; swift-crypto keeps a copy, and wipes it.
    ///   - lifetime: the lifetime of a bucket, at least one second; usually some minutes.
    public init(secret: borrowing SecretBytes, lifetime: Timestamp.Span) {
        precondition(secret.count == 32, "nonces are made with a key of 32 bytes")
        precondition(lifetime >= .seconds(1), "a nonce that lives for less is never accepted")
        key = secret.withUnsafeBytes { SymmetricKey(data: $0) }
        self.lifetime = lifetime.milliseconds
    }

    /// Also accepts nonces of another key: the earlier one, or the next one, which another replica may already use.
    public mutating func accept(_ secret: borrowing SecretBytes) {
        precondition(secret.count == 32, "nonces are made with a key of 32 bytes")
        others.append(secret.withUnsafeBytes { SymmetricKey(data: $0) })
    }

    /// Returns the nonce of this time, 32 characters: the same until the next bucket begins.
    public func issue(now: Timestamp) -> String {
        let bucket = bucket(of: now)
        return last.text(of: bucket) {
            Base64URL.encode(Self.bytes(of: bucket) + Self.code(of: bucket, under: key))
        }
    }

    /// Returns the time until which the nonce is accepted; nil if it is not accepted now, or was not made with this
    /// key.
    ///
    /// A nonce of the next bucket comes from a replica whose clock is ahead by at most ``TokensLimits/replicaSkew``.
    func end(of nonce: String, now: Timestamp) -> Timestamp? {
        if let bucket = last.bucket(of: nonce) { return isTimely(bucket, now) ? end(ofBucket: bucket) : nil }
        guard let bytes = try? Base64URL.decode(Array(nonce.utf8)[...]) else { return nil }
        let bucket = Int64(bitPattern: bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        // The time is checked first: that costs nothing, and it is not secret.
        guard isTimely(bucket, now) else { return nil }
        // The size must match exactly.
        let code = Array(bytes.dropFirst(8))
        let isOurs = ([key] + others).contains { constantTimeEquals(code, Self.code(of: bucket, under: $0)) }
        return isOurs ? end(ofBucket: bucket) : nil
    }

    private func isTimely(_ bucket: Int64, _ now: Timestamp) -> Bool {
        bucket >= self.bucket(of: now) - 1 && bucket <= self.bucket(of: now.adding(TokensLimits.replicaSkew))
    }

    /// Returns the end of a bucket. It cannot overflow: a timely bucket is the present one, one before, or a few after.
    private func end(ofBucket bucket: Int64) -> Timestamp { Timestamp(milliseconds: (bucket + 2) * lifetime) }

    /// Returns the bucket of a time, rounded down also before 1970.
    private func bucket(of time: Timestamp) -> Int64 {
        let remainder = time.milliseconds % lifetime
        return (time.milliseconds - (remainder < 0 ? remainder + lifetime : remainder)) / lifetime
    }

    private static func bytes(of bucket: Int64) -> [UInt8] {
        withUnsafeBytes(of: bucket.bigEndian) { Array($0) }
    }

    /// Returns 128 bits of HMAC-SHA256. The text before the bucket separates it from other uses of the key.
    private static func code(of bucket: Int64, under key: SymmetricKey) -> [UInt8] {
        let message = Array("fueki dpop nonce 1".utf8) + bytes(of: bucket)
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: key).prefix(16))
    }
}
