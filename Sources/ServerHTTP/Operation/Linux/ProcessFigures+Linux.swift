#if os(Linux)
    #if canImport(Glibc)
        internal import Glibc
    #else
        internal import Musl
    #endif

    extension ProcessFigures {
        /// Registers memory and open files, from `/proc`, which the kernel answers from memory.
        package static func registerFilesAndMemory(in metrics: Metrics) {
            metrics.gauge("process_resident_memory_bytes", "Memory of the server that is in RAM.") { residentBytes() }
            metrics.gauge("process_open_fds", "Open files and sockets.") { openFiles() }
            metrics.gauge("process_max_fds", "How many there may be.") { Double(sysconf(Int32(_SC_OPEN_MAX))) }
        }

        /// Returns the second number of `statm`: pages in RAM.
        private static func residentBytes() -> Double? {
            var text = [UInt8](repeating: 0, count: 256)
            let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            let count = read(file, &text, text.count)
            close(file)
            guard count > 0 else { return nil }
            let numbers = text.prefix(count).split(separator: UInt8(ascii: " "))
            guard numbers.count > 1 else { return nil }
            return Double(String(decoding: numbers[1], as: UTF8.self)).map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) }
        }

        private static func openFiles() -> Double? {
            guard let folder = opendir("/proc/self/fd") else { return nil }
            defer { closedir(folder) }
            var count = 0
            while let entry = readdir(folder) {
                // Excludes `.` and `..`. The descriptor of this folder itself is subtracted below.
                if entry.pointee.d_name.0 != CChar(bitPattern: UInt8(ascii: ".")) { count += 1 }
            }
            return Double(max(0, count - 1))
        }
    }
#endif
