package import SQLStore

/// The tables of the auth server: the migrations that make them, and what the general store has to know of them.
package enum AuthTables {
    /// All migrations, the oldest first.
    package static let migrations: [Migration] = [
        .firstTables, .metadataNumber, .keptRows, .accountLocks, .invitations, .keyProtection, .fewerPages,
    ]
}
