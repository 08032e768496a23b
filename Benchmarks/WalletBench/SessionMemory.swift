internal import Foundation

/// The cost to a server of a signing session that a peer leaves open: the memory and mappings of this process, measured
/// before and after many sessions are opened.
struct SessionMemory: Encodable {
    static let name = "ecdsa_live_sessions_2of3"

    let op: String
    /// The number of opened sessions.
    let n: Int
    let bytes_per_session: Int
    let sessions_per_gib: Int
    /// The number of mappings for all sessions together.
    let mappings: Int

    /// Opens sessions and measures them; nil if the system does not report a process's memory.
    static func measure(_ count: Int, of group: ECDSAGroup) throws -> SessionMemory? {
        // The first session pays the one-time costs: code, tables and spare memory.
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

/// The memory of this process, as the kernel reports it.
private struct Footprint {
    let bytes: Int
    let mappings: Int

    static var current: Footprint? {
        guard let statm = read("/proc/self/statm"), let maps = read("/proc/self/maps") else { return nil }
        // The second field is the number of resident pages.
        let fields = String(decoding: statm, as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return Footprint(
            bytes: pages * Int(sysconf(Int32(_SC_PAGESIZE))), mappings: maps.count { $0 == UInt8(ascii: "\n") })
    }

    /// Reads a whole file of `/proc`. The kernel generates it during the read: its reported size is zero, and each read
    /// returns a part.
    private static func read(_ path: String) -> [UInt8]? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        var bytes: [UInt8] = []
        while let part = try? file.read(upToCount: 1 << 16), !part.isEmpty { bytes += part }
        return bytes
    }
}
