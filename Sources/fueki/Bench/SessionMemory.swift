internal import Foundation

/// What a server needs for a signing session that a peer has left open: memory and mappings of this process, before and after
/// it opened many.
struct SessionMemory: Encodable {
    static let name = "ecdsa_live_sessions_2of3"

    let op: String
    /// How many sessions were opened.
    let n: Int
    let bytes_per_session: Int
    let sessions_per_gib: Int
    /// How many mappings all of them together took.
    let mappings: Int

    /// Opens sessions; nothing where the system does not show a process its memory.
    static func measure(_ count: Int, of group: ECDSAGroup) throws -> SessionMemory? {
        // The first one brings what is there once for all: code, tables and spare memory.
        var open = [try group.halfOpen()]
        guard let before = Footprint.current else { return nil }
        for _ in 0..<count { open.append(try group.halfOpen()) }
        guard let after = Footprint.current else { return nil }
        return withExtendedLifetime(open) {
            let bytes = max(1, (after.bytes - before.bytes) / count)
            return SessionMemory(
                op: name, n: count, bytes_per_session: bytes, sessions_per_gib: (1 << 30) / bytes,
                mappings: after.mappings - before.mappings)
        }
    }
}

/// What the kernel says of this process's memory.
private struct Footprint {
    let bytes: Int
    let mappings: Int

    static var current: Footprint? {
        guard let statm = read("/proc/self/statm"), let maps = read("/proc/self/maps") else { return nil }
        // The second number: pages that are in memory.
        let fields = String(decoding: statm, as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return Footprint(
            bytes: pages * Int(sysconf(Int32(_SC_PAGESIZE))), mappings: maps.count { $0 == UInt8(ascii: "\n") })
    }

    /// All of a file that the kernel makes while it is read: its size is nought, and each reading gives a part.
    private static func read(_ path: String) -> [UInt8]? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        var bytes: [UInt8] = []
        while let part = try? file.read(upToCount: 1 << 16), !part.isEmpty { bytes += part }
        return bytes
    }
}
