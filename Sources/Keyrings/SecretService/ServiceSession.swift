internal import CKeyrings
internal import Secrets
internal import SecureStorage

/// The steps of operations on the Secret Service, in an open session and within one deadline.
final class ServiceSession {
    /// The attributes of an item. They are not secret: every program of the user reads them, also while the collection
    /// is locked. Other libraries call theirs `service` and `account`, which must not match.
    enum Attribute {
        static let schema = "xdg:schema"
        static let service = "fueki-service"
        static let account = "fueki-account"
        static let schemaName = "fueki.Item"
    }

    private let session: OpaquePointer
    private var deadline: CallLimit
    private let prompting: SecretServiceStore.Prompting
    private let limit: Duration
    /// The path of the collection that is forgotten at the end of the session.
    private var transient: String?

    init(
        _ session: OpaquePointer, _ deadline: CallLimit, prompting: SecretServiceStore.Prompting, limit: Duration
    ) {
        self.session = session
        self.deadline = deadline
        self.prompting = prompting
        self.limit = limit
    }

    // MARK: Collections

    /// Returns the path of the default collection, unlocked. The user is asked only if the caller of the store allowed
    /// it.
    func unlockedCollection() throws(ServiceFault) -> String {
        guard let collection = try collection("default") else { throw .backend(.unavailable(.noDefaultCollection)) }
        // The session's collection is forgotten at the end of the session.
        transient = try self.collection("session")
        guard transient != collection else { throw .backend(.sessionOnly) }
        guard try isLocked(collection) else { return collection }
        guard case .allowed = prompting else { throw .backend(.locked) }
        try asking { ck_unlock(session, deadline.pointer, $0, collection) }
        guard try !isLocked(collection) else { throw .backend(.locked) }
        return collection
    }

    /// Makes a call after which the service may ask the user, and waits for the answer.
    ///
    /// - Parameter call: takes the user's time limit; nil if the user must not be asked.
    private func asking(_ call: (OpaquePointer?) -> ck_outcome) throws(ServiceFault) {
        guard let promptLimit = prompting.limitOfChanges else { return try ServiceFault.check(call(nil)) }
        let promptDeadline = CallLimit(promptLimit)
        try ServiceFault.check(withExtendedLifetime(promptDeadline) { call(promptDeadline.pointer) })
        // The user's time is over; the calls that follow have their own.
        deadline = CallLimit(limit)
    }

    private func collection(_ alias: String) throws(ServiceFault) -> String? {
        var path: OpaquePointer?
        try ServiceFault.check(ck_collection(session, deadline.pointer, alias, &path))
        return Self.taken(path).first
    }

    private func isLocked(_ collection: String) throws(ServiceFault) -> Bool {
        var isLocked = true
        try ServiceFault.check(ck_is_locked(session, deadline.pointer, collection, &isLocked))
        return isLocked
    }

    // MARK: Items

    /// Returns the paths of all items with the name, in all collections that outlast the session.
    ///
    /// The search leaves out the schema: a locked collection of GNOME Keyring knows only digests of attributes, and
    /// some services rewrite the schema. What an item is, its envelope says.
    func items(named name: ItemName) throws(ServiceFault) -> [String] {
        try search([Attribute.service, name.service, Attribute.account, name.account])
    }

    /// Returns the names of the items with our schema.
    func names(in service: String?) throws(ServiceFault) -> [ItemName] {
        let filter = service.map { [Attribute.service, $0] } ?? []
        var names: Set<ItemName> = []
        for path in try search([Attribute.schema, Attribute.schemaName] + filter) {
            let attributes: [String: String]
            do throws(ServiceFault) { attributes = try self.attributes(of: path) } catch {
                // Removed since the search.
                if case .noObject = error { continue }
                throw error
            }
            // Another program's item with our schema and without a name of ours cannot be loaded either.
            guard let service = attributes[Attribute.service], let account = attributes[Attribute.account],
                let name = try? ItemName(service: service, account: account)
            else { continue }
            names.insert(name)
        }
        guard names.allSatisfy({ service == nil || $0.service == service }) else { throw .backend(.malformedAnswer) }
        return names.sorted()
    }

    private func search(_ attributes: [String]) throws(ServiceFault) -> [String] {
        var unlocked: OpaquePointer?
        var locked: OpaquePointer?
        let outcome = withCStrings(attributes) { attributes in
            ck_search(
                session, deadline.pointer, attributes.baseAddress, attributes.count, Limits.serviceItemCount,
                &unlocked, &locked)
        }
        let (found, hidden) = (Self.taken(unlocked).filter(isLasting), Self.taken(locked).filter(isLasting))
        try ServiceFault.check(outcome)
        // A copy in another collection that is locked: it could differ, and absence would be unproven.
        guard hidden.isEmpty else { throw .backend(.locked) }
        return found
    }

    /// Whether an item is in a collection that lasts. A save must not replace one that does not, and count as stored.
    private func isLasting(_ path: String) -> Bool { transient.map { !path.hasPrefix("\($0)/") } ?? true }

    private func attributes(of path: String) throws(ServiceFault) -> [String: String] {
        var strings: OpaquePointer?
        let outcome = ck_attributes(session, deadline.pointer, path, Limits.attributes, &strings)
        let taken = Self.taken(strings)
        try ServiceFault.check(outcome)
        var attributes: [String: String] = [:]
        for position in stride(from: 0, to: taken.count - 1, by: 2) {
            attributes[taken[position]] = taken[position + 1]
        }
        return attributes
    }

    /// Returns the time of an item's last change, in seconds since 1970.
    func modified(_ path: String) throws(ServiceFault) -> UInt64 {
        var seconds: UInt64 = 0
        try ServiceFault.check(ck_modified(session, deadline.pointer, path, &seconds))
        return seconds
    }

    /// Opens an item.
    func open(_ path: String, as name: ItemName) throws(ServiceFault) -> ItemEnvelope {
        var value: OpaquePointer?
        try ServiceFault.check(ck_get(session, deadline.pointer, path, Limits.serviceTextSize, &value))
        guard let value else { throw .backend(.malformedAnswer) }
        defer { ck_value_free(value) }
        var count = 0
        let bytes = UnsafeRawBufferPointer(start: ck_value_bytes(value, &count), count: count)
        do throws(SecureStorageError) {
            return try ItemEnvelope(text: bytes, as: name, upTo: Limits.serviceItemSize)
        } catch { throw .failed(error.ofItem(in: .secretService)) }
    }

    /// Opens the item at these paths: one, or several that are the same; nil for no path.
    func open(_ paths: [String], as name: ItemName) throws(ServiceFault) -> ItemEnvelope? {
        guard let first = paths.first else { return nil }
        guard paths.count <= Limits.copies else { throw .backend(.ambiguous) }
        guard paths.count > 1 else { return try open(first, as: name) }
        // A copy that does not open differs from one that does.
        do throws(ServiceFault) {
            let envelope = try open(first, as: name)
            for path in paths.dropFirst() {
                guard try open(path, as: name).matches(envelope) else { throw .backend(.ambiguous) }
            }
            return envelope
        } catch {
            switch error {
            case .failed(.wrongKind), .failed(.backend(_, .damagedItem)):
                throw .backend(.ambiguous)
            default: throw error
            }
        }
    }

    /// Writes the item of a name, and checks that it can be read back.
    func save(_ envelope: borrowing ItemEnvelope) throws(ServiceFault) {
        let text = envelope.text
        let name = envelope.name
        let collection = try unlockedCollection()
        for _ in 0..<Limits.attempts {
            let paths = try items(named: name)
            // Only an item of this format is replaced. Several that are the same become one.
            if try open(paths, as: name) != nil, let first = paths.first {
                for path in paths.dropFirst() { try remove(path) }
                try text.withUnsafeBytes { text throws(ServiceFault) in
                    try ServiceFault.check(ck_set(session, deadline.pointer, first, text.baseAddress, text.count))
                }
            } else {
                try create(text, as: name, in: collection)
            }
            // Otherwise another process has written meanwhile, or the service forgets.
            if let stored = try open(try items(named: name), as: name), stored.matches(envelope) { return }
        }
        throw .backend(.malformedAnswer)
    }

    private func create(
        _ text: borrowing SecretBytes, as name: ItemName, in collection: String
    ) throws(ServiceFault) {
        guard try search([Attribute.schema, Attribute.schemaName]).count < Limits.serviceItemCount else {
            throw .failed(.outsideLimits(.itemCount))
        }
        let attributes = [
            Attribute.schema, Attribute.schemaName, Attribute.service, name.service, Attribute.account, name.account,
        ]
        // KeePassXC returns a prompt for each item, also if it does not ask.
        try asking { prompt in
            text.withUnsafeBytes { text in
                withCStrings(attributes) { attributes in
                    ck_create(
                        session, deadline.pointer, prompt, collection, "Fueki: \(name.service)/\(name.account)",
                        attributes.baseAddress, attributes.count, text.baseAddress, text.count)
                }
            }
        }
    }

    /// Removes an item, which may have been removed meanwhile.
    func remove(_ path: String) throws(ServiceFault) {
        do throws(ServiceFault) {
            try asking { ck_delete(session, deadline.pointer, $0, path) }
        } catch {
            if case .noObject = error { return }
            throw error
        }
    }

    // MARK: Strings

    /// Copies strings and frees them.
    private static func taken(_ strings: OpaquePointer?) -> [String] {
        guard let strings else { return [] }
        defer { ck_strings_free(strings) }
        return (0..<ck_strings_count(strings)).compactMap { ck_strings_at(strings, $0).map { String(cString: $0) } }
    }

    private func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let bytes = strings.flatMap { Array($0.utf8CString) }
        return bytes.withUnsafeBufferPointer { bytes in
            var pointers: [UnsafePointer<CChar>?] = []
            var offset = 0
            for string in strings {
                pointers.append(bytes.baseAddress.map { $0 + offset })
                offset += string.utf8.count + 1
            }
            return pointers.withUnsafeBufferPointer(body)
        }
    }
}
