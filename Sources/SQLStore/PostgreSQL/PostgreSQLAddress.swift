internal import CPostgres

/// The address of a PostgreSQL server in libpq's form: `host=/run/postgresql dbname=fueki`, or `postgresql://…`.
///
/// It may not contain a password, which would stay in ordinary memory: libpq reads one from a `passfile`, or
/// certificates or the socket identify this user.
/// place, or the server knows us by the socket.
package struct PostgreSQLAddress: Sendable {
    let text: String

    /// - Throws: ``StoreError/invalidAddress`` if it cannot be read or names no `host`, ``StoreError/insecure`` if it
    ///   contains a password, or uses a network without `sslmode=verify-full`: an attacker on the network could then
    ///   imitate the database.
    package init(_ text: String) throws(StoreError) {
        guard !text.utf8.contains(0) else { throw .invalidAddress }
        let options = try Self.options(text)
        guard options["password"] == nil, options["sslpassword"] == nil else { throw .insecure }
        // A service would name hosts that are not visible here.
        guard options["service"] == nil else { throw .invalidAddress }
        let hosts = [options["host"], options["hostaddr"]].compactMap { $0 }
            .flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        guard !hosts.isEmpty, !hosts.contains("") else { throw .invalidAddress }
        guard hosts.allSatisfy(Self.isLocal) || options["sslmode"] == "verify-full" else { throw .insecure }
        self.text = text
    }

    /// Returns whether the host is a folder with a socket, or a loopback address.
    private static func isLocal(_ host: String) -> Bool {
        host.hasPrefix("/") || host == "127.0.0.1" || host == "::1"
    }

    /// Returns the options that are set.
    private static func options(_ text: String) throws(StoreError) -> [String: String] {
        var complaint: UnsafeMutablePointer<CChar>?
        guard let first = PQconninfoParse(text, &complaint) else {
            // The error message repeats the text.
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
