/// The files of a log, by name. One program uses it at a time.
protocol LogFiles: Sendable {
    /// Returns the names of all files.
    func names() throws(AuditLogError) -> [String]

    /// Returns the size of a file; nil without one.
    func size(of name: String) throws(AuditLogError) -> Int?

    /// Returns `count` bytes from `offset` on, fewer at the end of the file.
    func read(_ name: String, from offset: Int, count: Int) throws(AuditLogError) -> [UInt8]

    /// Makes an empty file; its name need not survive a loss of power yet.
    func create(_ name: String) throws(AuditLogError)

    /// Writes bytes at a position, which is at most the end of the file. They need not survive a loss of power yet.
    func write(_ bytes: [UInt8], to name: String, at offset: Int) throws(AuditLogError)

    /// Cuts a file.
    func truncate(_ name: String, to size: Int) throws(AuditLogError)

    /// Makes the bytes of a file survive a loss of power. After an error the state of the file is unknown.
    func flush(_ name: String) throws(AuditLogError)

    /// Makes the names of the files survive a loss of power.
    func flushNames() throws(AuditLogError)

    /// Removes a file, if there is one.
    func remove(_ name: String) throws(AuditLogError)
}

extension LogFiles {
    /// Returns all bytes of a file.
    ///
    /// - Throws: ``AuditLogError/notFound``, or ``AuditLogError/outsideLimits`` if it is larger than `limit`.
    func all(of name: String, limit: Int) throws(AuditLogError) -> [UInt8] {
        guard let size = try size(of: name) else { throw .notFound }
        guard size <= limit else { throw .outsideLimits }
        return try read(name, from: 0, count: size)
    }

    /// Returns the first sequence numbers of the files of entries, in order.
    func segmentStarts() throws(AuditLogError) -> [UInt64] {
        try names().compactMap { Segment.start(of: $0) }.sorted()
    }

    /// Returns the bytes of the file of entries that begins with a sequence number.
    ///
    /// - Throws: ``AuditLogError/damaged(sequence:)`` if it is larger than its entries can make it.
    func segment(at start: UInt64) throws(AuditLogError) -> [UInt8] {
        do { return try all(of: Segment.name(start: start), limit: AuditLimits.segmentBytes) } catch .outsideLimits {
            throw .damaged(sequence: start)
        }
    }
}
