internal import Secrets
internal import SecureStorage

/// One record of an item in the keychain.
struct KeychainRecord: Equatable, Sendable {
    let key: KeychainKey
    let place: KeychainPlace
    let header: KeychainHeader
    /// The accessibility that the system reports.
    let accessibility: Accessibility?

    var asksUser: Bool { header.policy != .none }

    /// The order of the records of one name. The first one is the item: see ``KeychainSaving``.
    static func precedes(_ left: KeychainRecord, _ right: KeychainRecord) -> Bool {
        (left.header.revision, left.place.slot) < (right.header.revision, right.place.slot)
    }
}

/// The records of one name.
struct KeychainItemState: Sendable {
    /// The values of this installation, in order.
    let values: [KeychainRecord]
    /// The witnesses of this installation.
    let witnesses: [KeychainRecord]
    /// The records of earlier installations.
    let earlier: [KeychainRecord]

    /// The record that is the item.
    var live: KeychainRecord? { values.first }

    /// The records of this installation.
    var own: [KeychainRecord] { values + witnesses }

    /// Whether there are only records of earlier installations, about which the user has to decide first.
    var isOnlyEarlier: Bool { own.isEmpty && !earlier.isEmpty }
}

/// The calls to the keychain that read. All of them block.
struct KeychainRecords: Sendable {
    let items: any KeychainItems
    let namespace: KeychainNamespace
    let accessGroup: String?
    let policy: AccessControlPolicy
    let marker: any InstallationMarker
    let random: any RandomSource

    private static let canary = [UInt8]("Fueki canary 1".utf8)

    /// Returns this installation, and records it at a first run.
    func installation() throws(SecureStorageError) -> Installation {
        if let known = try marker.read() { return known }
        let new = Installation(InstallationID(from: random))
        do {
            try marker.create(new)
            return new
        } catch .alreadyExists {
            // Another process of the app had its first run at the same moment.
            guard let known = try marker.read() else { throw .damaged }
            return known
        }
    }

    /// Returns the attributes of all items of the namespace that the keychain shows, of one service or of all.
    ///
    /// The result may be empty because the keychain shows nothing at this time: see ``proveReadable()``.
    func listing(of service: String?) throws(SecureStorageError) -> [KeychainFinding] {
        let found: [KeychainFinding]
        do throws(KeychainStatus) {
            found = try items.list(
                KeychainQuery(service: service.map(namespace.service), accessGroup: accessGroup))
        } catch .itemNotFound {
            return []
        } catch {
            throw error.error(withUser: false)
        }
        let own = found.filter { namespace.service(of: $0.key.service) != nil }
        guard own.count <= AppleLimits.keychainListing else { throw .outsideLimits(.itemCount) }
        guard
            own.allSatisfy({ finding in
                (accessGroup ?? finding.key.accessGroup) == finding.key.accessGroup
                    && (service ?? namespace.service(of: finding.key.service))
                        == namespace.service(of: finding.key.service)
            })
        else { throw .backend(.keychain, .malformedAnswer) }
        return own
    }

    /// Proves that the keychain shows the items that it has.
    ///
    /// Before the first unlock after a start, iOS reports items as absent. The canary is an item that is readable
    /// after the first unlock: a program that reads it also sees the other items. A second canary, for the unlocked
    /// device, shows that a locked device does not leave such items out of a listing; a listing that fails on a locked
    /// device shows that, too. A missing canary is added, which the system refuses as long as items of its
    /// accessibility are out of reach.
    ///
    /// - Throws: `BackendFault.locked`, or `BackendFault.absenceUnproven`.
    func proveReadable() throws(SecureStorageError) {
        do throws(KeychainStatus) {
            let isLeftOut: Bool
            do throws(KeychainStatus) { isLeftOut = try shown(.whenUnlocked) == nil } catch .interactionNotAllowed {
                isLeftOut = false
            }
            if isLeftOut { _ = try added(.whenUnlocked) }

            let known = try shown(.afterFirstUnlock)
            let key = if let known { known } else { try added(.afterFirstUnlock) }
            let value = try items.value(of: key, prompt: .refused)
            guard value.withUnsafeBytes({ $0.elementsEqual(Self.canary) }) else { throw .itemNotFound }
        } catch {
            throw error.error(withUser: false)
        }
    }

    private func shown(_ canary: KeychainCanary) throws(KeychainStatus) -> KeychainKey? {
        do throws(KeychainStatus) {
            return try items.list(
                KeychainQuery(service: namespace.service(of: canary), accessGroup: accessGroup)
            )
            .map(\.key).min { $0.accessGroup < $1.accessGroup }
        } catch .itemNotFound {
            return nil
        }
    }

    private func added(_ canary: KeychainCanary) throws(KeychainStatus) -> KeychainKey {
        do throws(KeychainStatus) {
            try items.add(
                KeychainAddition(
                    service: namespace.service(of: canary), account: "canary", accessGroup: accessGroup, header: [],
                    protection: .accessible(canary.accessibility)),
                value: SecretBytes(count: Self.canary.count) { $0.copyBytes(from: Self.canary) })
        } catch .duplicateItem {
            // The canary exists, and was not shown. The listing decides.
        }
        guard let key = try shown(canary) else { throw .itemNotFound }
        return key
    }

    /// Returns the records of a name. An answer without a value is proven.
    func state(of name: ItemName, for installation: Installation) throws(SecureStorageError) -> KeychainItemState {
        let state = try shownState(of: name, for: installation)
        guard state.values.isEmpty, state.earlier.isEmpty else { return state }
        return try provenState(of: name, for: installation)
    }

    /// Returns the records of a name, after a proof that the keychain shows them all.
    func provenState(
        of name: ItemName, for installation: Installation
    ) throws(SecureStorageError) -> KeychainItemState {
        // The listing comes second: the first unlock may be between the two.
        try proveReadable()
        return try shownState(of: name, for: installation)
    }

    private func shownState(
        of name: ItemName, for installation: Installation
    ) throws(SecureStorageError) -> KeychainItemState {
        var records: [KeychainRecord] = []
        for finding in try listing(of: name.service) where KeychainPlace.isAccount(finding.key.account, of: name) {
            records.append(try record(finding, of: name.service))
        }
        guard Set(records.map(\.key.accessGroup)).count <= 1 else { throw .backend(.keychain, .ambiguous) }
        records.sort(by: KeychainRecord.precedes)
        let own = records.filter { installation.owns($0.header.installation) }
        return KeychainItemState(
            values: own.filter { $0.place.role == .value }, witnesses: own.filter { $0.place.role == .witness },
            earlier: records.filter { !installation.owns($0.header.installation) })
    }

    /// Returns the record of a finding.
    ///
    /// - Throws: `BackendFault.malformedAnswer` for the item of another program.
    func record(_ finding: KeychainFinding, of service: String) throws(SecureStorageError) -> KeychainRecord {
        guard let place = KeychainPlace(service: service, decoding: finding.key.account), let header = finding.header
        else { throw .backend(.keychain, .malformedAnswer) }
        return KeychainRecord(
            key: finding.key, place: place, header: try KeychainHeader(decoding: header),
            accessibility: finding.accessibility)
    }

    /// Returns the secret of a record; nil if the keychain no longer has the record.
    func secret(
        of record: KeychainRecord, prompt: KeychainPrompt
    ) throws(SecureStorageError) -> SecretBytes? {
        let envelope: SecretBytes
        do throws(KeychainStatus) {
            envelope = try items.value(of: record.key, prompt: prompt)
        } catch .itemNotFound {
            return nil
        } catch {
            throw error.error(withUser: record.asksUser)
        }
        return try KeychainEnvelope.open(envelope, as: record.place.name, header: record.header)
    }
}
