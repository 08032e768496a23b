package import DeviceStores
package import SecureStorage
package import Texts

/// The stores and chips of this machine, and the place of the credentials.
package struct BackendListView: Encodable {
    struct Backend: Encodable {
        let backend: String
        let uses: [String]
        let usable: Bool
        /// The reason why it cannot be used; omitted if it can.
        let fault: String?
        let reason: String?
        let hint: String?
        /// Whether the credentials are there.
        let current: Bool
        let standard: Bool
    }

    struct Pending: Encodable {
        let from: String
        let to: String
        /// Whether every item is there, and only the confirmation is missing.
        let moved: Bool
    }

    let backends: [Backend]
    /// The migration that was begun; omitted without one.
    let migration: Pending?

    /// - Parameters:
    ///   - current: the place of the credentials.
    ///   - migration: the pending migration, and whether its items are moved.
    package init(
        _ reports: [BackendReport], current: StoreBackend, migration: (StoreMigration, isMoved: Bool)?
    ) {
        backends = reports.filter { $0.fault != .unavailable(.otherSystem) }.map { report in
            let failure = report.fault?.failure(of: report.backend)
            return Backend(
                backend: report.backend.rawValue, uses: report.uses.map(\.rawValue), usable: report.fault == nil,
                fault: failure?.name, reason: failure?.message, hint: failure?.hint,
                current: report.backend == current, standard: report.backend == MachineStores.standard)
        }
        self.migration = migration.map { migration, isMoved in
            Pending(
                from: migration.sourceBackend.rawValue, to: migration.destination.backend.rawValue,
                moved: isMoved)
        }
    }

    /// - Parameter columns: the width of the terminal.
    package func text(columns: Int) -> StyledText {
        let rows = backends.map { backend in
            LabelledRows.Row(
                backend.backend,
                [backend.usable ? "usable: \(Self.uses(backend.uses))" : backend.reason ?? "not usable"]
                    + [backend.hint].compactMap(\.self) + (backend.current ? ["the credentials are here"] : [])
                    + (backend.standard ? ["the default on this system"] : []))
        }
        let list = LabelledRows(rows).text(columns: columns)
        guard let migration else { return list }
        let words =
            migration.moved
            ? "The credentials were moved from \(migration.from) to \(migration.to), and the old ones are still there: "
                + "'fueki store migrate --confirm' deletes them, and '--undo' returns."
            : "A migration from \(migration.from) to \(migration.to) was interrupted: run it again, or "
                + "'fueki store migrate --undo'."
        return StyledText(lines: [list, StyledText(""), StyledText(Wrapped.text(words, columns: columns), .warning)])
    }

    private static func uses(_ uses: [String]) -> String {
        uses.map { use in
            switch use {
            case "store": "credentials"
            case "device-share": "the share of this machine (--device-key)"
            case "signing-keys": "signing keys"
            default: "a cache for one session"
            }
        }.joined(separator: ", ")
    }
}
