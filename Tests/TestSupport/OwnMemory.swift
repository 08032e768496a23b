#if os(Linux)
    internal import Glibc

    /// The memory of this process, as the kernel shows it.
    ///
    /// The search gets its memory from the kernel and not from the allocator, which would reuse, and so overwrite, the
    /// very left-overs that the search looks for.
    package enum OwnMemory {
        /// One line of /proc/self/maps.
        package struct Mapping {
            package let addresses: Range<UInt>
            package let isReadable: Bool
            package let isWritable: Bool
        }

        /// Calls `body` with all readable memory, in chunks. The chunk itself is left out.
        ///
        /// - Parameters:
        ///   - overlap: the number of bytes of a chunk that are repeated at the beginning of the next.
        ///   - body: takes bytes, and the address that they were copied from.
        package static func forEachChunk(overlapping overlap: Int, _ body: (UnsafeRawBufferPointer, UInt) -> Void) {
            withPages(count: 1 << 20) { chunk in
                guard let base = chunk.baseAddress else { return }
                let own = UInt(bitPattern: base)..<(UInt(bitPattern: base) + UInt(chunk.count))
                let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
                precondition(memory >= 0, "a process can read its own memory")
                defer { close(memory) }
                func search(from start: UInt, to end: UInt) {
                    var start = start
                    while start < end {
                        let wanted = min(chunk.count, Int(end - start))
                        let count = pread(memory, base, wanted, off_t(truncatingIfNeeded: start))
                        // Unmapped since by another thread, or a device's memory.
                        guard count > 0 else { return }
                        body(UnsafeRawBufferPointer(start: base, count: count), start)
                        start += UInt(count == chunk.count ? count - overlap : count)
                    }
                }
                forEachMapping { mapping in
                    guard mapping.isReadable else { return }
                    let addresses = mapping.addresses
                    guard addresses.overlaps(own) else {
                        return search(from: addresses.lowerBound, to: addresses.upperBound)
                    }
                    // The kernel may show the chunk and its neighbours as one mapping.
                    search(from: addresses.lowerBound, to: own.lowerBound)
                    search(from: own.upperBound, to: addresses.upperBound)
                }
            }
        }

        /// The number of mappings.
        package static var mappings: Int {
            var count = 0
            forEachMapping { _ in count += 1 }
            return count
        }

        /// Returns the mapping of an address; nil if it is not mapped.
        package static func mapping(at address: UInt) -> Mapping? {
            var found: Mapping?
            forEachMapping { if $0.addresses.contains(address) { found = $0 } }
            return found
        }

        /// The used part of the calling thread's stack: 64 KiB on both sides of this frame.
        package static func ownStack() -> Range<UInt> {
            let local = 0
            return withUnsafePointer(to: local) { local in
                let here = UInt(bitPattern: local)
                return (here - 65_536)..<(here + 65_536)
            }
        }

        /// Returns the kernel's flags for the page at an address, such as `dd` and `lo`; empty where it shows none.
        package static func flags(at address: UInt) -> Set<Substring> {
            var flags: Set<Substring> = []
            var isThere = false
            forEachLine(of: "/proc/self/smaps") { line in
                if let mapping = mapping(line) { isThere = mapping.addresses.contains(address) }
                guard isThere, line.starts(with: "VmFlags:".utf8) else { return }
                flags = Set(String(decoding: line, as: UTF8.self).split(separator: " ").dropFirst())
            }
            return flags
        }

        private static func forEachMapping(_ body: (Mapping) -> Void) {
            forEachLine(of: "/proc/self/maps") { line in
                if let mapping = mapping(line) { body(mapping) }
            }
        }

        /// `7f00-7f80 r-xp …`
        private static func mapping(_ line: UnsafeRawBufferPointer) -> Mapping? {
            var position = 0
            func number(endingIn end: Unicode.Scalar) -> UInt? {
                var value: UInt = 0
                while position < line.count {
                    let character = line[position]
                    position += 1
                    switch character {
                    case UInt8(ascii: end): return value
                    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt(character & 15)
                    case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt(character & 15) + 9
                    default: return nil
                    }
                }
                return nil
            }
            guard let start = number(endingIn: "-"), let end = number(endingIn: " "), start < end,
                position + 2 <= line.count
            else { return nil }
            return Mapping(
                addresses: start..<end, isReadable: line[position] == UInt8(ascii: "r"),
                isWritable: line[position + 1] == UInt8(ascii: "w"))
        }

        private static func forEachLine(of path: String, _ body: (UnsafeRawBufferPointer) -> Void) {
            withPages(count: 16 << 20) { text in
                guard let base = text.baseAddress else { return }
                let file = open(path, O_RDONLY | O_CLOEXEC)
                guard file >= 0 else { return }
                var filled = 0
                while case let count = read(file, base + filled, text.count - filled), count > 0 { filled += count }
                close(file)
                precondition(filled < text.count, "more mappings than expected")
                var start = 0
                while start < filled, let end = memchr(base + start, 0x0a, filled - start) {
                    let next = UnsafeRawPointer(end) - UnsafeRawPointer(base)
                    body(UnsafeRawBufferPointer(start: base + start, count: next - start))
                    start = next + 1
                }
            }
        }

        /// Pages of zeros from the kernel, which go back to it.
        private static func withPages(count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
            guard let pages = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                pages != MAP_FAILED
            else { preconditionFailure("no memory for the search") }
            body(UnsafeMutableRawBufferPointer(start: pages, count: count))
            munmap(pages, count)
        }
    }
#endif
