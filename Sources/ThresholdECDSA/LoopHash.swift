internal import Curves
internal import Secrets

extension ECDSA {
    /// The hash F for loops: SHA-256 of base ‖ base ‖ input. The base fills the first block, which is hashed once.
    struct LoopHash: Sendable {
        private let state: SHA256

        /// - Parameter base: 32 bytes, from ``TaggedHash``.
        init(_ base: [UInt8]) {
            var state = SHA256()
            state.update(base)
            state.update(base)
            self.state = state
        }

        /// Writes 32 bytes to `output`: the hash of the input.
        @inline(__always)
        func hash(_ input: UnsafeRawBufferPointer, to output: UnsafeMutableRawPointer) {
            state.finalize(with: input, into: output.assumingMemoryBound(to: UInt8.self))
        }

        /// Returns the hash of public bytes.
        func hash(_ input: [UInt8]) -> [UInt8] {
            var state = state
            state.update(input)
            return state.finalize()
        }

        /// Writes `count` hashes of 32 bytes each to `output`: of inputs of one size, at most
        /// ``SHA256/mostOfLastBlock``. Several at a time take half as long as one after the other.
        ///
        /// - Parameter write: writes the input with the given number. All inputs are written before the first hash.
        @inline(__always)
        func hashes(
            count: Int, ofSize size: Int, to output: UnsafeMutableRawPointer,
            _ write: (Int, UnsafeMutableRawPointer) -> Void
        ) {
            Extension.withWords(count * SHA256.blockSize / 8) { words in
                let blocks = UnsafeMutableRawBufferPointer(start: words, count: count * SHA256.blockSize)
                for number in 0..<count { write(number, blocks.origin + number * SHA256.blockSize) }
                state.finalize(each: blocks, size: size, into: output)
            }
        }

        /// Returns scalars of the hashes of public inputs of one size.
        func scalars(
            count: Int, ofSize size: Int, _ write: (Int, UnsafeMutableRawPointer) -> Void
        ) -> [Scalar<Secp256k1>] {
            Scalar.list(
                reducing: [UInt8](unsafeUninitializedCapacity: SHA256.size * count) { memory, initialised in
                    guard let start = memory.baseAddress else { return }
                    hashes(count: count, ofSize: size, to: start, write)
                    initialised = SHA256.size * count
                })
        }
    }

    /// The hash of ``LoopHash`` with a secret base: its state is in guarded memory.
    struct SecretLoopHash: ~Copyable, Sendable {
        private let state: SHA256.Guarded

        /// - Parameter base: 32 bytes.
        init(_ base: borrowing SecretBytes) {
            var state = SHA256()
            state.update(base)
            state.update(base)
            self.state = SHA256.Guarded(moving: &state)
        }

        /// Writes 32 bytes to `output`: the hash of the input.
        borrowing func hash(_ input: UnsafeRawBufferPointer, to output: UnsafeMutableRawPointer) {
            state.finalize(with: input, into: output.assumingMemoryBound(to: UInt8.self))
        }

        /// Returns a hash that may be public.
        borrowing func hash(_ input: [UInt8]) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: SHA256.size) { memory, initialised in
                input.withUnsafeBytes { hash($0, to: UnsafeMutableRawBufferPointer(memory).origin) }
                initialised = SHA256.size
            }
        }

        /// Returns the hashes of several inputs, one after the other, as a secret.
        borrowing func secret(_ inputs: [[UInt8]]) -> SecretBytes {
            SecretBytes(fleeting: SHA256.size * inputs.count) { memory in
                for (position, input) in inputs.enumerated() {
                    input.withUnsafeBytes { hash($0, to: memory.origin + SHA256.size * position) }
                }
            }
        }
    }
}
