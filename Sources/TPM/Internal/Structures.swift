#if canImport(Glibc)
    internal import CTPM
    internal import Encoding
    internal import SecureStorage
    internal import Secrets

    /// A structure of tpm2-tss that is overwritten with zeros when it is dropped, whether or not it held a secret.
    ///
    /// The structures are large, and have their final place in memory, so that no copy of a secret is left elsewhere. A
    /// connection makes and keeps them: the library works on their memory.
    final class Structure<Value> {
        let pointer: UnsafeMutablePointer<Value>

        /// Creates a structure of zeros.
        init(_ type: Value.Type = Value.self) {
            pointer = .allocate(capacity: 1)
            UnsafeMutableRawPointer(pointer).initializeMemory(
                as: UInt8.self, repeating: 0, count: MemoryLayout<Value>.size)
        }

        deinit {
            wipe(memory)
            pointer.deallocate()
        }

        private var memory: UnsafeMutableRawBufferPointer {
            UnsafeMutableRawBufferPointer(start: pointer, count: MemoryLayout<Value>.size)
        }

        /// Writes one of the simple structures: a size in two bytes, and bytes (`TPM2B_DIGEST`, `TPM2B_AUTH`, `TPM2B_DATA`).
        fileprivate func fill(sized bytes: UnsafeRawBufferPointer) {
            precondition(bytes.count + 2 <= memory.count, "a value of this target's own fits")
            memory.storeBytes(of: UInt16(bytes.count), as: UInt16.self)
            UnsafeMutableRawBufferPointer(rebasing: memory[2...]).copyMemory(from: bytes)
        }

        typealias Reading = (
            UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<Value>?
        ) -> UInt32

        /// Reads the structure from its encoding, with a function of the library's. - Returns: whether it is one.
        fileprivate func fill(_ bytes: UnsafeRawBufferPointer, _ reading: Reading) -> Bool {
            var offset = 0
            let code = reading(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &offset, pointer)
            return code == 0 && offset == bytes.count
        }
    }

    extension Connection {
        /// Makes a structure of zeros: an empty value of most types.
        func empty<Value>(_ type: Value.Type) -> UnsafeMutablePointer<Value> { keep(Structure(Value.self)).pointer }

        /// Makes one of the simple structures: a size in two bytes, and bytes.
        func simple<Value>(_ type: Value.Type, _ bytes: [UInt8]) -> UnsafeMutablePointer<Value> {
            let structure = keep(Structure(Value.self))
            bytes.withUnsafeBytes { structure.fill(sized: $0) }
            return structure.pointer
        }

        /// Makes one of the simple structures with a secret.
        func simple<Value>(_ type: Value.Type, _ bytes: borrowing SecretBytes) -> UnsafeMutablePointer<Value> {
            let structure = keep(Structure(Value.self))
            bytes.withUnsafeBytes { structure.fill(sized: $0) }
            return structure.pointer
        }

        /// Reads a structure from its encoding, with a function of the library's.
        ///
        /// - Throws: ``BackendFault/malformedAnswer`` if it is not one.
        func read<Value>(
            _ bytes: [UInt8], _ reading: Structure<Value>.Reading
        ) throws(SecureStorageError) -> UnsafeMutablePointer<Value> {
            let structure = keep(Structure(Value.self))
            let isRead = bytes.withUnsafeBytes { structure.fill($0, reading) }
            guard isRead else { throw .tpm(.malformedAnswer) }
            return structure.pointer
        }

        /// Reads a structure that contains a secret.
        func read<Value>(
            _ bytes: borrowing SecretBytes, _ reading: Structure<Value>.Reading
        ) throws(SecureStorageError) -> UnsafeMutablePointer<Value> {
            let structure = keep(Structure(Value.self))
            let isRead = bytes.withUnsafeBytes { structure.fill($0, reading) }
            guard isRead else { throw .tpm(.malformedAnswer) }
            return structure.pointer
        }
    }

    extension UnsafePointer {
        typealias Writing = (
            UnsafePointer<Pointee>?, UnsafeMutablePointer<UInt8>?, Int, UnsafeMutablePointer<Int>?
        ) -> UInt32

        /// Returns the encoding of a structure, with a function of the library's.
        func encoded(limit: Int, writing: Writing) throws(SecureStorageError) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: limit)
            var offset = 0
            let code = bytes.withUnsafeMutableBufferPointer { writing(self, $0.baseAddress, limit, &offset) }
            guard code == 0, offset <= limit else { throw .tpm(.malformedAnswer) }
            return [UInt8](bytes.prefix(offset))
        }

        /// Returns the bytes of a simple structure: a size in two bytes, and bytes.
        func sizedBytes(limit: Int) throws(SecureStorageError) -> [UInt8] {
            let memory = UnsafeRawBufferPointer(start: self, count: MemoryLayout<Pointee>.size)
            let count = Int(memory.load(as: UInt16.self))
            guard count <= limit, count + 2 <= memory.count else { throw .tpm(.malformedAnswer) }
            return [UInt8](memory[2..<(2 + count)])
        }
    }
#endif
