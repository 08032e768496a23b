#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The system's figures of the server's process. Linux only.
struct ServerProcess {
    let id: Int

    /// The seconds of CPU time that it has used on all cores.
    var seconds: Double {
        // The fields after the name, which is in parentheses: field 14 is user time, 15 the system's, in ticks.
        let fields = text("stat").split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The peak of its memory, in MiB.
    var peakMemory: Double {
        for line in text("status").split(separator: "\n") where line.hasPrefix("VmHWM:") {
            return (line.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0) / 1024
        }
        return 0
    }

    private func text(_ name: String) -> String {
        guard let file = fopen("/proc/\(id)/\(name)", "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
