internal import AuditLog
internal import Crypto
public import Custody
internal import Time
public import Wallet

extension WalletBook {
    /// Returns the policy's file as it was set; nil if no policy is set.
    public func policyFile() -> [UInt8]? { policyBytes }

    /// Returns the policy in use: that of the file, or `Policy.standard`.
    ///
    /// - Throws: `CustodyError.badPolicy(_:)` for a file that this version does not understand. Nothing is signed
    ///   then.
    public func policy() throws(CustodyError) -> Policy {
        guard let policyBytes else { return .standard }
        do { return try Policy(file: policyBytes) } catch { throw .badPolicy(error) }
    }

    /// Replaces the policy, or removes it. The new policy also counts earlier signatures and proposals.
    ///
    /// The change is logged before it is made, with the SHA-256 hash of the new file.
    ///
    /// - Throws: `CustodyError.badPolicy(_:)`, `CustodyError.book(_:)`, `CustodyError.log(path:_:)`.
    public func setPolicy(_ file: [UInt8]?) async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        if let file { do { _ = try Policy(file: file) } catch { throw .badPolicy(error) } }
        let digest = file.map { Array(SHA256.hash(data: $0)) }
        let admission = try await logAdmission(of: .policyChange, on: digest)
        do throws(CustodyError) {
            if let file {
                try await self.file.save(file, as: Item.policy.name)
            } else {
                try await self.file.delete(Item.policy.name)
            }
        } catch {
            await logEnd(of: .policyChange, .failed, on: digest, admission)
            throw error
        }
        policyBytes = file
        await logEnd(of: .policyChange, .completed, on: digest, admission)
    }

    // MARK: - Contacts

    /// Returns all contacts, in the order of their names.
    public func contacts() -> [Contact] { contactList }

    /// Adds a contact.
    ///
    /// - Parameter other: an address that looks like the contact's and that the user has compared with it; the likeness
    ///   is then no reason to refuse. A user who paid a mistyped address can add the right one in this way.
    /// - Throws: `CustodyError.book(_:)`, with `BookFault.contactExists(name:)` also for a name that looks like an
    ///   existing one, and `BookFault.lookAlike(address:)` for an address that looks like one that was chosen before,
    ///   and differs from it.
    public func add(_ contact: Contact, unlike other: Party? = nil) async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        if let present = contactList.first(where: { $0.passes(for: contact.name) }) {
            throw .book(.contactExists(name: present.name))
        }
        if let double = chosen.first(where: { $0 != other && $0.looksLike(contact.party) }) {
            throw .book(.lookAlike(address: double.description))
        }
        guard contactList.count < Limits.contacts else { throw .book(.full(.contacts)) }
        try await write(contactList + [contact])
    }

    /// Removes a contact.
    ///
    /// - Throws: `CustodyError.book(_:)`, with `BookFault.noSuchContact(name:)`.
    public func removeContact(named name: String) async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        guard contactList.contains(where: { $0.isCalled(name) }) else {
            throw .book(.noSuchContact(name: name))
        }
        try await write(contactList.filter { !$0.isCalled(name) })
    }

    private func write(_ contacts: [Contact]) async throws(CustodyError) {
        let contacts = contacts.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let bytes = Contact.encode(contacts)
        guard bytes.count <= Limits.contactsSize else { throw .book(.full(.contacts)) }
        try await file.save(bytes, as: Item.contacts.name)
        contactList = contacts
    }
}
