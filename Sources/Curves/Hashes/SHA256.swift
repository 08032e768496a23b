internal import Secrets

/// SHA-256 (FIPS 180-4), by the processor's instructions where they exist, otherwise by libsodium.
public struct SHA256: HashFunction {
    public static let size = 32
    /// The size of a block in bytes.
    package static let blockSize = 64
    /// The number of bytes for which the last block has room beside its padding.
    package static let mostOfLastBlock = blockSize - 1 - MemoryLayout<UInt64>.size

    /// H⁽ⁱ⁾ (6.2): eight words in the machine's own order.
    private var state = SHA256Compression.start
    /// The input that does not fill a block yet: its first `count` mod 64 bytes.
    private var block = SIMD64<UInt8>()
    /// The number of input bytes.
    private var count: UInt64 = 0

    public init() {}

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let held = Int(count % UInt64(Self.blockSize))
        count += UInt64(bytes.count)
        var rest = bytes
        if held > 0 {
            let first = min(rest.count, Self.blockSize - held)
            withUnsafeMutableBytes(of: &block) {
                UnsafeMutableRawBufferPointer(rebasing: $0[held...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<first]))
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[first...])
            guard held + first == Self.blockSize else { return }
            takeBlock()
        }
        let whole = rest.count / Self.blockSize * Self.blockSize
        if whole > 0 {
            SHA256Compression.compress(&state, UnsafeRawBufferPointer(rebasing: rest[..<whole]))
            rest = UnsafeRawBufferPointer(rebasing: rest[whole...])
        }
        withUnsafeMutableBytes(of: &block) { $0.copyMemory(from: rest) }
    }

    public mutating func finalize(into hash: UnsafeMutablePointer<UInt8>) {
        let held = Int(count % UInt64(Self.blockSize))
        let fits = held <= Self.mostOfLastBlock
        let bits = (count * 8).bigEndian
        withUnsafeMutableBytes(of: &block) { block in
            block.zero(from: held)
            block[held] = 0x80
            if fits { block.storeBytes(of: bits, toByteOffset: Self.mostOfLastBlock + 1, as: UInt64.self) }
        }
        takeBlock()
        if !fits {
            withUnsafeMutableBytes(of: &block) { block in
                block.zero(from: 0)
                block.storeBytes(of: bits, toByteOffset: Self.mostOfLastBlock + 1, as: UInt64.self)
            }
            takeBlock()
        }
        for word in 0..<8 {
            UnsafeMutableRawPointer(hash).storeBytes(
                of: state[word].bigEndian, toByteOffset: 4 * word, as: UInt32.self)
        }
        withUnsafeMutableBytes(of: &self) { wipe($0) }
        self = SHA256()
    }

    private mutating func takeBlock() {
        withUnsafeBytes(of: &block) { SHA256Compression.compress(&state, $0) }
    }
}

extension SHA256 {
    /// Writes the hash of the input followed by `last`, and keeps the state: for thousands of inputs with the same
    /// beginning.
    package func finalize(with last: UnsafeRawBufferPointer, into hash: UnsafeMutablePointer<UInt8>) {
        var copy = self
        copy.update(last)
        copy.finalize(into: hash)
    }

    /// Writes one hash for each block: the hash of the input, which is whole blocks, followed by the block's first
    /// bytes.
    ///
    /// - Parameters:
    ///   - blocks: 64 bytes for each hash. The padding overwrites all bytes after the first `size`.
    ///   - size: at most ``mostOfLastBlock``.
    ///   - hashes: 32 bytes for each block.
    package func finalize(
        each blocks: UnsafeMutableRawBufferPointer, size: Int, into hashes: UnsafeMutableRawPointer
    ) {
        precondition(count % UInt64(Self.blockSize) == 0, "what was taken before is whole blocks")
        precondition(size <= Self.mostOfLastBlock && blocks.count % Self.blockSize == 0, "one block for each hash")
        let bits = (8 * (count + UInt64(size))).bigEndian
        for start in stride(from: 0, to: blocks.count, by: Self.blockSize) {
            let block = UnsafeMutableRawBufferPointer(rebasing: blocks[start..<(start + Self.blockSize)])
            block.zero(from: size)
            block[size] = 0x80
            block.storeBytes(of: bits, toByteOffset: Self.mostOfLastBlock + 1, as: UInt64.self)
        }
        SHA256Compression.compress(each: UnsafeRawBufferPointer(blocks), from: state, into: hashes)
    }
}

extension SHA256 {
    /// A hasher whose input is secret, in guarded memory, and whose state is kept: for many inputs that begin with the
    /// secret. (An ordinary ``SHA256`` keeps its state in ordinary memory until it is finalized.)
    package struct Guarded: ~Copyable, Sendable {
        private let memory: SecretBytes

        /// Moves the state of a hasher here, and wipes the original.
        package init(moving hasher: inout SHA256) {
            memory = SecretBytes(fleeting: MemoryLayout<SHA256>.size) { memory in
                withUnsafeMutableBytes(of: &hasher) {
                    memory.copyMemory(from: UnsafeRawBufferPointer($0))
                    wipe($0)
                }
            }
            hasher = SHA256()
        }

        /// Writes the hash of the input followed by `last`.
        package borrowing func finalize(with last: UnsafeRawBufferPointer, into hash: UnsafeMutablePointer<UInt8>) {
            var hasher = SHA256()
            memory.withUnsafeBytes { memory in
                withUnsafeMutableBytes(of: &hasher) {
                    UnsafeMutableRawBufferPointer(rebasing: $0[..<memory.count]).copyMemory(from: memory)
                }
            }
            hasher.update(last)
            hasher.finalize(into: hash)
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func zero(from offset: Int) {
        UnsafeMutableRawBufferPointer(rebasing: self[offset...]).initializeMemory(as: UInt8.self, repeating: 0)
    }
}
