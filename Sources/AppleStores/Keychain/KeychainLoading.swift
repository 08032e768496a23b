internal import Secrets
internal import SecureStorage

/// The first answer to a load, which shows no prompt.
enum KeychainAnswer: ~Copyable, Sendable {
    /// The item is absent, and this is proven.
    case absent
    /// The item's secret.
    case secret(SecretBytes)
    /// The item, in whose reading the user takes part.
    case behindPrompt(KeychainRecord)
}

extension KeychainRecords {
    /// Loads an item, up to the prompt.
    ///
    /// - Throws: `BackendFault.bindingChanged(_:)` if the system destroyed it, and
    ///   `BackendFault.earlierInstallation` if only an earlier installation has it.
    func load(_ name: ItemName) throws(SecureStorageError) -> KeychainAnswer {
        for _ in 0..<AppleLimits.keychainRounds {
            let state = try state(of: name, for: try installation())
            guard let live = state.live else {
                if let witness = state.witnesses.first { throw witness.lossOfValue }
                guard !state.isOnlyEarlier else { throw .backend(.keychain, .earlierInstallation) }
                return .absent
            }
            if live.asksUser { return .behindPrompt(live) }
            if let secret = try secret(of: live, prompt: .refused) { return .secret(secret) }
            // Another process replaced the record after it was listed.
        }
        throw .backend(.keychain, .absenceUnproven)
    }

    /// Explains why a listed record no longer has a value. Returns if another record took its place.
    func explainMissing(_ record: KeychainRecord) throws(SecureStorageError) {
        let state = try state(of: record.place.name, for: try installation())
        // The system shows the record still and does not find its value: the faces or fingers have changed.
        guard !state.values.contains(where: { $0.key == record.key }) else { throw record.lossOfValue }
    }

    /// Returns the attributes of an item; nil if it is absent, which is proven.
    func attributes(of name: ItemName) throws(SecureStorageError) -> ItemAttributes? {
        let state = try state(of: name, for: try installation())
        guard !state.isOnlyEarlier else { throw .backend(.keychain, .earlierInstallation) }
        return (state.live ?? state.witnesses.first)?.header.attributes
    }

    /// Returns the names of this installation's items, also of those that cannot be read, in order.
    func names(in service: String?) throws(SecureStorageError) -> [ItemName] {
        let installation = try installation()
        try proveReadable()
        var names: Set<ItemName> = []
        for finding in try listing(of: service) {
            guard let service = namespace.service(of: finding.key.service),
                let place = KeychainPlace(service: service, decoding: finding.key.account)
            else { continue }
            let header = finding.header.flatMap { try? KeychainHeader(decoding: $0) }
            // A header that this program does not know does not hide the item.
            if header.map({ installation.owns($0.installation) }) ?? true { names.insert(place.name) }
        }
        return names.sorted()
    }
}

extension KeychainRecord {
    /// The error about a record whose value the system destroyed.
    fileprivate var lossOfValue: SecureStorageError {
        .backend(.keychain, .bindingChanged(header.policy.binding(under: header.attributes.accessibility)))
    }
}
