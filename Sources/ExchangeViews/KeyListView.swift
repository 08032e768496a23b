internal import ErrorTexts
package import ExchangeCredentials
package import Texts
internal import Time

/// The keys of exchanges on this machine, and those that were revoked here.
package struct KeyListView: ResultView {
    struct Key: Encodable {
        let label: String
        let exchange: String
        /// The method of signing: `hmac-sha256`, `ed25519` or `hmac-sha512`.
        let method: String
        /// The first characters of the key.
        let key: String
        let fingerprint: String
        /// Whether the key has a passphrase.
        let passphrase: Bool
        let created: String
        let last_used: String?
        let rights: [String]?
        let checked: String?
        /// Whether an interrupted rotation left the key.
        let interrupted_rotation: Bool
        fileprivate let title: String
        fileprivate let used: String
        fileprivate let known: String

        enum CodingKeys: String, CodingKey {
            case label, exchange, method, key, fingerprint, passphrase, created, last_used, rights, checked
            case interrupted_rotation
        }

        init(_ record: CredentialRecord, _ time: LocalTime) {
            label = record.label.text
            exchange = record.venue.rawValue
            title = record.venue.title
            method =
                switch record.method {
                case .binanceHMAC: "hmac-sha256"
                case .binanceEd25519: "ed25519"
                case .kraken: "hmac-sha512"
                }
            key = record.hint
            fingerprint = record.fingerprint
            passphrase = record.hasPassphrase
            created = record.created.rfc3339
            last_used = record.lastUsed?.rfc3339
            rights = record.rights.map { $0.map(\.name) }
            checked = record.probed?.rfc3339
            interrupted_rotation = record.label.isOfInterruptedRotation
            used = record.lastUsed.map { "used \(time.text($0))" } ?? "not used"
            known = record.rights.map { $0.map(\.words).joined(separator: ", ") } ?? "not checked"
        }

        fileprivate var row: [String] { [label, title, method, key, used, known] }
    }

    struct Revoked: Encodable {
        let label: String
        let exchange: String
        let fingerprint: String
        let revoked: String
        fileprivate let text: String

        enum CodingKeys: String, CodingKey { case label, exchange, fingerprint, revoked }

        init(_ tombstone: Tombstone, _ time: LocalTime) {
            label = tombstone.label.text
            exchange = tombstone.venue.rawValue
            fingerprint = tombstone.fingerprint
            revoked = tombstone.revoked.rfc3339
            text = "revoked on \(time.text(tombstone.revoked)): \(label) (\(tombstone.venue.title))"
        }
    }

    let keys: [Key]
    let revoked: [Revoked]

    /// - Parameter time: the time zone of the person, for the text.
    package init(_ records: [CredentialRecord], _ tombstones: [Tombstone], time: LocalTime) {
        keys = records.map { Key($0, time) }
        revoked = tombstones.map { Revoked($0, time) }
    }

    package var text: String {
        var lines = keys.isEmpty ? ["no keys of exchanges"] : [Table(keys.map(\.row)).text]
        if keys.contains(where: \.interrupted_rotation) {
            lines.append(
                "'next…' was left by an interrupted rotation: repeat the rotation with the same key, or remove it")
        }
        return (lines + revoked.map(\.text)).joined(separator: "\n")
    }
}
