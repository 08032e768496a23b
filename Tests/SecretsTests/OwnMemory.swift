#if os(Linux)
    internal import Glibc

    /// The memory of this process, as the kernel shows it.
    enum OwnMemory {
        /// One line of /proc/self/maps.
        struct Mapping {
            let addresses: Range<UInt>
            let isReadable: Bool
            let isWritable: Bool
        }

        /// Calls `body` with all readable memory, in chunks. The chunk itself is left out.
        ///
        /// - Parameters:
        ///   - overlap: how many bytes of a chunk come again at the beginning of the next.
        ///   - body: gets bytes, and the address that they were copied from.
        static func forEachChunk(overlapping overlap: Int, _ body: (UnsafeRawBufferPointer, UInt) -> Void) {
            let size = 1 << 20
            // A mapping of its own: what is copied there is not looked at, and is gone afterwards.
            guard let chunk = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                chunk != MAP_FAILED
            else { preconditionFailure("no memory for the search") }
            defer {
                memset(chunk, 0, size)
                munmap(chunk, size)
            }
            let own = UInt(bitPattern: chunk)..<(UInt(bitPattern: chunk) + UInt(size))
            let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
            precondition(memory >= 0, "a process can read its own memory")
            defer { close(memory) }
            for mapping in mappings() where mapping.isReadable {
                // The kernel may show the chunk and a neighbour as one mapping.
                for part in parts(of: mapping.addresses, without: own) {
                    var start = part.lowerBound
                    while start < part.upperBound {
                        let wanted = min(size, Int(part.upperBound - start))
                        let count = pread(memory, chunk, wanted, off_t(truncatingIfNeeded: start))
                        // Unmapped since by another thread, or of a device.
                        guard count > 0 else { break }
                        body(UnsafeRawBufferPointer(start: chunk, count: count), start)
                        start += UInt(count == wanted && count == size ? count - overlap : count)
                    }
                }
            }
        }

        static func mappings() -> [Mapping] {
            text(of: "/proc/self/maps").split(separator: "\n").compactMap { line in
                let fields = line.split(separator: " ", maxSplits: 2)
                guard fields.count == 3, let addresses = addresses(fields[0]) else { return nil }
                return Mapping(
                    addresses: addresses, isReadable: fields[1].hasPrefix("r"), isWritable: fields[1].contains("w"))
            }
        }

        /// The mapping that an address is in; nil if it is not mapped.
        static func mapping(at address: UInt) -> Mapping? { mappings().first { $0.addresses.contains(address) } }

        /// The flags that the kernel keeps for the page at an address, such as `dd` and `lo`; empty where it shows none.
        static func flags(at address: UInt) -> Set<Substring> {
            var isThere = false
            for line in text(of: "/proc/self/smaps").split(separator: "\n") {
                if let range = line.split(separator: " ").first.flatMap(addresses) { isThere = range.contains(address) }
                if isThere, line.hasPrefix("VmFlags:") { return Set(line.split(separator: " ").dropFirst()) }
            }
            return []
        }

        private static func parts(of range: Range<UInt>, without hole: Range<UInt>) -> [Range<UInt>] {
            guard range.overlaps(hole) else { return [range] }
            return [
                range.lowerBound..<max(range.lowerBound, hole.lowerBound),
                min(range.upperBound, hole.upperBound)..<range.upperBound,
            ].filter { !$0.isEmpty }
        }

        private static func addresses(_ text: Substring) -> Range<UInt>? {
            let edges = text.split(separator: "-").map { UInt($0, radix: 16) }
            guard edges.count == 2, let start = edges[0], let end = edges[1], start < end else { return nil }
            return start..<end
        }

        private static func text(of path: String) -> String {
            let file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return "" }
            defer { close(file) }
            var text: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = read(file, &part, part.count), count > 0 { text += part[..<count] }
            return String(decoding: text, as: UTF8.self)
        }
    }
#endif
