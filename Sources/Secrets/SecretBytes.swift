/// A secret of a fixed number of bytes, in guarded memory, and wiped when it is dropped.
///
/// The memory comes from `sodium_malloc`: locked against swapping if the system allows it (``SecretMemory/state``
/// reports that), left out of core dumps, fenced by guard pages and canaries, read-only once it is filled, and
/// overwritten with zeros at the end. Many secrets share regions: see `docs/adr/0015-secret-memory.md`.
///
/// The type cannot be copied, compared with `==`, encoded or printed. Bytes are reached only inside a closure:
///
/// ```swift
/// let key = SecretBytes(count: 32, from: SystemRandom())
/// key.withUnsafeBytes { bytes in … }
/// ```
///
/// - Warning: Bytes that a closure copies out are not guarded. Do not copy secret bytes out.
public struct SecretBytes: ~Copyable, @unchecked Sendable {
    // `@unchecked`: the memory is written only before `init` returns, and read-only from then on.

    private let item: GuardedMemory.Item

    /// The number of bytes.
    public var count: Int { item.count }

    /// Makes a secret of `count` bytes, filled in place.
    ///
    /// - Parameters:
    ///   - count: the size in bytes, not negative.
    ///   - fill: writes the secret into the guarded memory, which holds zeros before. If it throws, nothing is kept.
    /// - Throws: only the errors of `fill`.
    public init<Failure: Error>(
        count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try self.init(count: count, isSealed: true, filledBy: fill)
    }

    /// Makes a secret like ``init(count:filledBy:)``, without making the memory read-only: for short-lived numbers, of
    /// which a protocol makes hundreds. It saves two system calls for each.
    package init<Failure: Error>(
        fleeting count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try self.init(count: count, isSealed: false, filledBy: fill)
    }

    private init<Failure: Error>(
        count: Int, isSealed: Bool, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(count >= 0, "a secret has no negative size")
        let item = GuardedMemory.take(count, isSealed: isSealed)
        do {
            try fill(UnsafeMutableRawBufferPointer(start: item.bytes, count: count))
        } catch {
            GuardedMemory.giveBack(item)
            throw error
        }
        self.item = isSealed ? GuardedMemory.seal(item) : item
    }

    /// Makes a secret of `count` random bytes.
    public init(count: Int, from random: some RandomSource) {
        self.init(count: count) { random.fill($0) }
    }

    /// Moves bytes into guarded memory and wipes the array that they came in.
    ///
    /// - Warning: Only this array is wiped. If it was grown or copied before, the earlier copies are still in memory.
    public init(moving bytes: inout [UInt8]) {
        self.init(count: bytes.count) { memory in
            bytes.withUnsafeMutableBytes { source in
                memory.copyMemory(from: UnsafeRawBufferPointer(source))
                wipe(source)
            }
        }
        bytes.removeAll()
    }

    deinit {
        GuardedMemory.giveBack(item)
    }

    /// Calls `body` with the bytes of the secret, which must not leave the closure.
    public borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: item.bytes, count: count))
    }

    /// Returns a second guarded copy of the same bytes. It is explicit because each copy is one more place to wipe.
    public borrowing func clone() -> SecretBytes {
        SecretBytes(count: count) { memory in withUnsafeBytes { memory.copyMemory(from: $0) } }
    }

    /// Returns a guarded copy of the first `length` bytes.
    public borrowing func prefix(_ length: Int) -> SecretBytes { part(0, length) }

    /// Returns a guarded copy of `length` bytes from `offset` on, which must exist.
    package borrowing func part(_ offset: Int, _ length: Int) -> SecretBytes {
        precondition(
            offset >= 0 && length >= 0 && offset <= count && length <= count - offset,
            "a secret of \(count) bytes has no part of \(length) from \(offset) on")
        return SecretBytes(count: length) { memory in
            withUnsafeBytes {
                memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + length)]))
            }
        }
    }

    /// Returns a guarded copy of the last `length` bytes.
    public borrowing func suffix(_ length: Int) -> SecretBytes { part(count - length, length) }

    /// Returns whether both secrets have the same bytes, in time that depends only on their sizes.
    public borrowing func matches(_ other: borrowing SecretBytes) -> Bool {
        withUnsafeBytes { left in other.withUnsafeBytes { right in constantTimeEquals(left, right) } }
    }

    /// The text `<redacted 32 bytes>`: a secret never prints its contents.
    public var description: String { "<redacted \(count) bytes>" }
}

extension DefaultStringInterpolation {
    /// Writes `<redacted …>` in place of the secret.
    public mutating func appendInterpolation(_ secret: borrowing SecretBytes) {
        appendLiteral(secret.description)
    }
}
