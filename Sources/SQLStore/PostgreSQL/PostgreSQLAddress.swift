internal import CPostgres

/// Where a PostgreSQL server is, in the words of libpq: `host=/run/postgresql dbname=fueki`, or `postgresql://…`.
///
/// No password is taken here, where it would lie about in memory: libpq reads it from a `passfile`, or certificates take its
/// place, or the server knows us by the socket.
package struct PostgreSQLAddress: Sendable {
    let text: String

    /// - Throws: ``StoreError/invalidAddress`` if it cannot be read or names no `host`, ``StoreError/insecure`` if it holds a
    ///   password, or leads over a network without `sslmode=verify-full`: then anybody on the way could be the database.
    package init(_ text: String) throws(StoreError) {
        guard !text.utf8.contains(0) else { throw .invalidAddress }
        let options = try Self.options(text)
        guard options["password"] == nil, options["sslpassword"] == nil else { throw .insecure }
        // A service would name hosts that are not seen here.
        guard options["service"] == nil else { throw .invalidAddress }
        let hosts = [options["host"], options["hostaddr"]].compactMap { $0 }
            .flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        guard !hosts.isEmpty, !hosts.contains("") else { throw .invalidAddress }
        guard hosts.allSatisfy(Self.isLocal) || options["sslmode"] == "verify-full" else { throw .insecure }
        self.text = text
    }

    /// A folder with a socket, or this machine by the addresses that lead to no other.
    private static func isLocal(_ host: String) -> Bool {
        host.hasPrefix("/") || host == "127.0.0.1" || host == "::1"
    }

    /// Those that are set.
    private static func options(_ text: String) throws(StoreError) -> [String: String] {
        var complaint: UnsafeMutablePointer<CChar>?
        guard let first = PQconninfoParse(text, &complaint) else {
            // What it says repeats the text.
            PQfreemem(complaint)
            throw .invalidAddress
        }
        defer { PQconninfoFree(first) }
        var options: [String: String] = [:]
        var next = first
        while let keyword = next.pointee.keyword {
            if let value = next.pointee.val { options[String(cString: keyword)] = String(cString: value) }
            next += 1
        }
        return options
    }
}
