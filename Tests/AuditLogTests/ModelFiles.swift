internal import Synchronization
internal import TestSupport

@testable internal import AuditLog

/// Files in memory that know what has reached the disk, for tests of crashes.
final class ModelFiles: LogFiles {
    /// A fault at one call.
    enum Fault: Hashable {
        /// The program ends before the call.
        case kill
        /// The program ends in the middle of the call: of a write, a part is done.
        case killInside
        /// The call fails, without an effect or with a part of it.
        case fail(AuditLogErrorCode)
    }

    enum AuditLogErrorCode: Hashable {
        case inputOutput
        case full

        var error: AuditLogError {
            switch self {
            case .inputOutput: .writeFailed(code: 5)
            case .full: .diskFull
            }
        }
    }

    static let killed = AuditLogError.writeFailed(code: -9)

    private struct File {
        var bytes: [UInt8] = []
        var durable: [UInt8] = []
        /// The writes since the last flush. Any part of them may reach the disk.
        var pending: [(offset: Int, bytes: [UInt8])] = []
        var isNameDurable = false
        /// Bytes that a failed flush left in memory only: no later flush writes them.
        var dropped: Range<Int>?
    }

    private struct State {
        var files: [String: File] = [:]
        /// Files that were removed, whose names are still on the disk.
        var removed: [String: File] = [:]
        var calls: [String] = []
        var faultAt: (call: Int, fault: Fault)?
        var isDead = false
        var readBytes = 0
        /// The free bytes; nil for a disk without an end.
        var free: Int?
    }

    private let state = Mutex(State())

    /// The calls that change something, in order.
    var calls: [String] { state.withLock { $0.calls } }
    var readBytes: Int { state.withLock { $0.readBytes } }
    var isDead: Bool { state.withLock { $0.isDead } }

    func inject(_ fault: Fault, at call: Int) { state.withLock { $0.faultAt = (call, fault) } }

    /// Sets the free space of the disk; nil for endless.
    func setFree(_ bytes: Int?) { state.withLock { $0.free = bytes } }

    private init(_ files: [String: File]) { state.withLock { $0.files = files } }
    convenience init() { self.init([:]) }

    /// The files as another program finds them after this one has ended.
    func afterKill() -> ModelFiles {
        state.withLock { state in ModelFiles(state.files) }
    }

    /// The files as another program finds them after a flush had failed: what was to be flushed can be read, and
    /// counts as written, but is not on the disk.
    func afterFailedFlush() -> ModelFiles {
        state.withLock { state in
            ModelFiles(
                state.files.mapValues { file in
                    var file = file
                    if let first = file.pending.map(\.offset).min() { file.dropped = first..<file.bytes.count }
                    file.pending = []
                    return file
                })
        }
    }

    /// The files after a loss of power: of what was not flushed, any part is there, and names that were not flushed may
    /// be the old ones.
    func afterPowerLoss(_ random: SeededRandom) -> ModelFiles {
        state.withLock { state in
            var files: [String: File] = [:]
            for (name, file) in state.removed where state.files[name] == nil && random.below(2) == 0 {
                files[name] = File(bytes: file.durable, durable: file.durable, isNameDurable: true)
            }
            for (name, file) in state.files.sorted(by: { $0.key < $1.key }) {
                guard file.isNameDurable || random.below(2) == 0 else { continue }
                var bytes = file.durable
                for (offset, written) in file.pending {
                    // Sectors reach the disk in any order, or not at all; the size may be there without them.
                    let isSizeThere = random.below(2) == 0
                    for start in stride(from: 0, to: written.count, by: 512) where random.below(2) == 0 {
                        let sector = written[start..<min(start + 512, written.count)]
                        Self.put(sector, at: offset + start, into: &bytes)
                    }
                    if isSizeThere, bytes.count < offset + written.count {
                        bytes += [UInt8](repeating: 0, count: offset + written.count - bytes.count)
                    }
                }
                files[name] = File(bytes: bytes, durable: bytes, isNameDurable: true)
            }
            return ModelFiles(files)
        }
    }

    private static func put(_ sector: ArraySlice<UInt8>, at offset: Int, into bytes: inout [UInt8]) {
        let end = offset + sector.count
        if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
        bytes.replaceSubrange(offset..<end, with: sector)
    }

    /// Changes a file as an attacker would.
    func tamper(_ name: String, _ change: (inout [UInt8]) -> Void) {
        state.withLock { state in
            var file = state.files[name, default: File()]
            change(&file.bytes)
            file.durable = file.bytes
            state.files[name] = file
        }
    }

    // MARK: LogFiles

    private func change(
        _ call: String, part: (inout State) -> Void = { _ in },
        _ body: (inout State) throws(AuditLogError) -> Void
    ) throws(AuditLogError) {
        let result = state.withLock { state -> Result<Void, AuditLogError> in
            guard !state.isDead else { return .failure(Self.killed) }
            state.calls.append(call)
            if let (number, fault) = state.faultAt, number == state.calls.count {
                switch fault {
                case .kill:
                    state.isDead = true
                    return .failure(Self.killed)
                case .killInside:
                    part(&state)
                    state.isDead = true
                    return .failure(Self.killed)
                case .fail(let code):
                    part(&state)
                    return .failure(code.error)
                }
            }
            do throws(AuditLogError) {
                try body(&state)
                return .success(())
            } catch { return .failure(error) }
        }
        try result.get()
    }

    func names() throws(AuditLogError) -> [String] {
        guard !isDead else { throw Self.killed }
        return state.withLock { Array($0.files.keys) }
    }

    func size(of name: String) throws(AuditLogError) -> Int? {
        guard !isDead else { throw Self.killed }
        return state.withLock { $0.files[name]?.bytes.count }
    }

    func read(_ name: String, from offset: Int, count: Int) throws(AuditLogError) -> [UInt8] {
        guard !isDead else { throw Self.killed }
        let bytes = state.withLock { state -> [UInt8]? in
            guard let file = state.files[name] else { return nil }
            let bytes = Array(file.bytes.dropFirst(offset).prefix(count))
            state.readBytes += bytes.count
            return bytes
        }
        guard let bytes else { throw .notFound }
        return bytes
    }

    func create(_ name: String) throws(AuditLogError) {
        try change("create \(name)") { state throws(AuditLogError) in
            guard state.files[name] == nil else { throw .alreadyExists }
            state.files[name] = File()
        }
    }

    func write(_ bytes: [UInt8], to name: String, at offset: Int) throws(AuditLogError) {
        func write(_ bytes: [UInt8], _ state: inout State) {
            state.files[name]?.pending.append((offset, bytes))
            if let dropped = state.files[name]?.dropped, offset <= dropped.lowerBound,
                dropped.upperBound <= offset + bytes.count
            {
                state.files[name]?.dropped = nil
            }
            Self.put(bytes[...], at: offset, into: &state.files[name, default: File()].bytes)
        }
        try change("write \(name)", part: { write(Array(bytes.prefix(bytes.count / 2)), &$0) }) {
            state throws(AuditLogError) in
            guard let file = state.files[name] else { throw .notFound }
            let grown = max(0, offset + bytes.count - file.bytes.count)
            if let free = state.free {
                guard grown <= free else {
                    write(Array(bytes.prefix(max(0, free))), &state)
                    state.free = 0
                    throw .diskFull
                }
                state.free = free - grown
            }
            write(bytes, &state)
        }
    }

    func truncate(_ name: String, to size: Int) throws(AuditLogError) {
        try change("truncate \(name)") { state throws(AuditLogError) in
            guard let file = state.files[name] else { throw .notFound }
            if let free = state.free { state.free = free + max(0, file.bytes.count - size) }
            state.files[name]?.bytes = Array(file.bytes.prefix(size))
        }
    }

    func flush(_ name: String) throws(AuditLogError) {
        try change("flush \(name)") { state throws(AuditLogError) in
            guard var file = state.files[name] else { throw .notFound }
            file.durable = file.bytes
            if let dropped = file.dropped {
                for index in dropped where index < file.durable.count { file.durable[index] = 0 }
            }
            file.pending = []
            state.files[name] = file
        }
    }

    func flushNames() throws(AuditLogError) {
        try change("flush names") { state throws(AuditLogError) in
            for name in state.files.keys { state.files[name]?.isNameDurable = true }
            state.removed = [:]
        }
    }

    func remove(_ name: String) throws(AuditLogError) {
        try change("remove \(name)") { state throws(AuditLogError) in
            guard let file = state.files.removeValue(forKey: name) else { return }
            if let free = state.free { state.free = free + file.bytes.count }
            if file.isNameDurable { state.removed[name] = file }
        }
    }
}
