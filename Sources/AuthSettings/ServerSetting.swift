internal import SQLStore
internal import ServerHTTP

/// The description of a setting, for the operator. ``ServerConfiguration`` reads and checks its value, and takes the default
/// from here.
public struct ServerSetting: Equatable, Sendable {
    /// The name in the file, with a dot for each level: `session.idle_hours`.
    public let name: String
    /// The default value, in the form of an environment variable; nil for a setting without a default. A default that
    /// depends on another setting is given for the default of that setting.
    public let fallback: String?
    /// The allowed values of a number; nil for a setting of another type.
    let range: ClosedRange<Int>?
    /// The effect of the setting, for the list of settings, with the range unless it is practically unlimited.
    public let text: String

    /// The name of the environment variable.
    public var variable: String { "FUEKID_" + name.replacing(".", with: "_").uppercased() }

    private init(_ name: String, _ fallback: String?, in range: ClosedRange<Int>? = nil, _ text: String) {
        self.name = name
        self.fallback = fallback
        self.range = range
        self.text =
            if let range, range.upperBound < 1_000_000 {
                "\(text) From \(range.lowerBound) to \(range.upperBound)."
            } else { text }
    }

    /// The range of a limit that stops only mistyped numbers.
    private static let practicallyUnlimited = 1...1_000_000_000

    /// Returns the setting of a name; nil for an unknown name.
    static func named(_ name: String) -> ServerSetting? { all.first { $0.name == name } }

    /// All settings.
    public static let all: [ServerSetting] = [
        ServerSetting(
            "public_url", "http://localhost:8420",
            "Where people and apps reach the server: https://host[:port]. Without TLS only localhost is possible."),
        ServerSetting(
            "listen", "127.0.0.1:8420", "The address and port on which it listens."),
        ServerSetting("tls.certificate", nil, "PEM file with the certificate's chain. TLS 1.3 only."),
        ServerSetting("tls.key", nil, "PEM file with the certificate's key."),
        ServerSetting(
            "proxy.addresses", nil,
            "Instead of tls: the addresses of the proxies that end TLS, and whose X-Forwarded-For is believed."),
        ServerSetting(
            "relying_party.id", "localhost",
            "The domain that passkeys belong to: the host of public_url, which it is by default, or a domain that this lies in. "
                + "Never change it: all passkeys would be lost."),
        ServerSetting(
            "relying_party.name", "Fueki", "What authenticators and the pages call the server: 1 to 64 characters."),
        ServerSetting(
            "relying_party.origins", nil,
            "Further pages that may use the passkeys: https://host[:port], or android:apk-key-hash:…"),
        ServerSetting(
            "page.accent", nil,
            "The colour of buttons and links on the pages, as #rrggbb. Links that could not be read in it are drawn darker or "
                + "lighter; `fuekid check` says how."),
        ServerSetting(
            "page.logo", nil, "The logo on the pages: a PNG, WebP or SVG file (without scripts) of at most 256 KiB."),
        ServerSetting(
            "store.sqlite", "auth.sqlite", "The file of the store. A relative path begins at the home folder."),
        ServerSetting(
            "store.postgresql", nil, "Instead of a file: the connection string of PostgreSQL, as libpq takes it."),
        ServerSetting(
            "store.postgresql_connections", "8", in: StoreLimits.postgreSQLConnections, "How many connections it opens."
        ),
        ServerSetting(
            "session.idle_hours", "168", in: 1...720, "After so long without a refresh a session ends."),
        ServerSetting(
            "session.lifetime_hours", "720", in: 1...720, "After so long a session ends whatever happens."),
        ServerSetting(
            "session.retry_seconds", "60", in: 0...300,
            "Within so long from its first use a refresh token may be used again by the same device, and gives the same answer."
        ),
        ServerSetting("session.access_token_seconds", "900", in: 60...900, "How long an access token is good."),
        ServerSetting(
            "session.step_up_seconds", "300", in: 30...3600, "How old a sign-in may be for sensitive requests."),
        ServerSetting(
            "sign_up", "open",
            "Who may make an account: open (everyone), invitation (people with a code of `fuekid invite`), closed."
        ),
        ServerSetting(
            "limits.address_burst", "1000", in: practicallyUnlimited,
            "Burst: how many requests without a session an address may make at once; of IPv6 a /64. "
                + "A sign-in makes two. Thousands of people can have one address."),
        ServerSetting(
            "limits.address_per_minute", "1000", in: practicallyUnlimited, "Refill rate: how many more each minute."),
        ServerSetting(
            "limits.network_burst", "4000", in: practicallyUnlimited,
            "Burst: how many requests without a session a network may make at once: a /24 of IPv4, a /48 of IPv6; "
                + "a /56 half as many. Each server counts for itself."),
        ServerSetting(
            "limits.network_per_minute", "4000", in: practicallyUnlimited, "Refill rate: how many more each minute."),
        ServerSetting(
            "limits.account_burst", "60", in: practicallyUnlimited,
            "Burst: how many requests a session may make at once, and sign-ins an account."),
        ServerSetting(
            "limits.account_per_minute", "60", in: practicallyUnlimited, "Refill rate: how many more each minute."),
        ServerSetting(
            "limits.device_burst", "60", in: practicallyUnlimited,
            "Burst: how many refreshes a session may make at once, and requests without a session a device."),
        ServerSetting(
            "limits.device_per_minute", "30", in: practicallyUnlimited, "Refill rate: how many more each minute."),
        ServerSetting(
            "limits.recovery_burst", "5", in: practicallyUnlimited,
            "Burst: how many recovery codes of an address, or tries of one code, may be refused at once. "
                + "A right code is accepted anyway."),
        ServerSetting(
            "limits.recovery_per_minute", "1", in: practicallyUnlimited, "Refill rate: how many more each minute."),
        ServerSetting(
            "limits.all_recoveries_burst", "60", in: practicallyUnlimited,
            "Burst: how many recovery codes of all people may be refused at once."),
        ServerSetting(
            "limits.all_recoveries_per_minute", "60", in: practicallyUnlimited,
            "Refill rate: how many more each minute."),
        ServerSetting(
            "limits.all_sign_ups_burst", "300", in: practicallyUnlimited,
            "Burst: how many accounts may be made at once, by all people; by one address, or one /48 of IPv6, a fifth. "
                + "Invitations do not count."),
        ServerSetting(
            "limits.all_sign_ups_per_minute", "60", in: practicallyUnlimited, "Refill rate: how many more each minute."),
        ServerSetting(
            "limits.connections", "\(ServerHTTPLimits.connections)", in: 1...1_000_000,
            "How many connections there may be at a time. Where there are more, one that is idle is closed."),
        ServerSetting(
            "limits.address_connections", "\(ServerHTTPLimits.addressConnections)", in: 1...1_000_000,
            "How many of them one address may have, and of IPv6 one network of 64 bits. Proxies may have all."),
        ServerSetting(
            "attestation.required", "false",
            "Whether only passkeys are taken that come with an attestation of a maker below. "
                + "A passkey that loses its trust later (fuekid reassess) signs in no more."),
        ServerSetting(
            "attestation.anchors", nil,
            "PEM files with the certificates of makers that are trusted, each with the format that it is for: "
                + "packed=FILE, tpm=FILE, android-key=FILE, apple=FILE or fido-u2f=FILE."),
        ServerSetting(
            "attestation.metadata", nil,
            "The metadata of the FIDO Alliance, as downloaded: models that were broken are refused, and it says which models keep "
                + "keys in hardware."),
        ServerSetting(
            "attestation.metadata_root", nil, "PEM file with the root certificate of the metadata's signer."),
        ServerSetting(
            "attestation.android_revocation", nil,
            "Google's list of revoked certificates, as downloaded from https://android.googleapis.com/attestation/status. "
                + "Without it no key of Android counts as one in hardware."),
        ServerSetting(
            "attestation.insecure_sha1_of_tpms", "false",
            "Whether an attestation is trusted that a TPM has signed with SHA-1, as most of those of Windows Hello. "
                + "An attacker who can make SHA-1 collisions can register one key twice, but no other person's key."),
        ServerSetting(
            "attestation.android_software_keys", "false",
            "Whether, where attestations are required, one of Android is taken where Android keeps the key, and not secure "
                + "hardware: a device that was tampered with can say anything."),
        ServerSetting(
            "passkeys.may_become_synchronised", "false",
            "Whether a passkey that was bound to one device may turn out to be synchronised later."),
        ServerSetting(
            "log.addresses", "network",
            "How much of a client's address the log has: network (IPv4 whole, the first 64 bits of IPv6), full, or none."
        ),
        ServerSetting(
            "audit.reader", nil,
            "The public key of the person who reads the audit log, as `fuekid audit key` prints it. Without it the server has no "
                + "audit log."),
        ServerSetting(
            "audit.name", "localhost:8420/audit",
            "The name of the log in its checkpoints, by default the host of public_url and /audit. "
                + "Every server of a store needs another one. A new name begins a new log."),
        ServerSetting("audit.folder", "audit", "The folder of the log, and of nothing else."),
        ServerSetting(
            "audit.secret_folder", "audit-secret",
            "The folder of the secret that the next entries are sealed with. It must not lie in the log's folder or above it; "
                + "another disk is better."),
        ServerSetting(
            "audit.checkpoint_folder", "audit-checkpoints",
            "The folder that keeps every signed checkpoint of the log. It must not lie in the log's folder or above it; "
                + "another disk is better."),
        ServerSetting(
            "audit.replace_lost_secret", "false",
            "Whether to go on if the secret is lost. The owner's verification then shows where."),
        ServerSetting(
            "witnessed_logs", nil,
            "A file with the public keys of logs that this server witnesses, one a line: name+id+key. "
                + "Without it the server witnesses no log."),
        ServerSetting(
            "witness.name", "localhost:8420/witness",
            "The name of the witness in its cosignatures, by default the host of public_url and /witness. "
                + "A new name has a new key."),
        ServerSetting("witness.folder", "witness", "The folder that keeps every checkpoint that the witness cosigned."),
        ServerSetting("metrics.addresses", nil, "Addresses that may read /metrics, besides this machine."),
        ServerSetting(
            "introspection_clients", nil,
            "Services that may ask about tokens (RFC 7662), each as name:hash, with SHA-256 of its secret in hexadecimal."
        ),
    ]
}
