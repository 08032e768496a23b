package import SQLStore

/// The tables of the auth server: their migrations, and their description for the general store.
package enum AuthTables {
    /// All migrations, oldest first.
    package static let migrations: [Migration] = [
        .firstTables, .metadataNumber, .keptRows, .accountLocks, .invitations, .keyProtection, .fewerPages,
        .auditLog,
    ]
}
