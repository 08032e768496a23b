/// A setting, as the operator is told of it. ``ServerConfiguration`` reads and checks what it is given.
public struct ServerSetting: Equatable, Sendable {
    /// As the file has it, a dot for each level: `session.idle_hours`.
    public let name: String
    /// What it is where nothing is said, as the environment would say it; nil if it is nothing.
    public let fallback: String?
    /// What it decides.
    public let text: String

    /// As the environment has it.
    public var variable: String { "FUEKID_" + name.replacing(".", with: "_").uppercased() }

    private init(_ name: String, _ fallback: String?, _ text: String) {
        self.name = name
        self.fallback = fallback
        self.text = text
    }

    /// Every setting there is.
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
        ServerSetting("relying_party.name", "Fueki", "What authenticators call the server."),
        ServerSetting(
            "relying_party.origins", nil,
            "Further pages that may use the passkeys: https://host[:port], or android:apk-key-hash:…"),
        ServerSetting(
            "store.sqlite", "auth.sqlite", "The file of the store. A relative path begins at the home folder."),
        ServerSetting(
            "store.postgresql", nil, "Instead of a file: the connection string of PostgreSQL, as libpq takes it."),
        ServerSetting("store.postgresql_connections", "8", "How many connections it opens, 1 to 100."),
        ServerSetting(
            "session.idle_hours", "168", "After so long without a refresh a session ends, 1 to 720."),
        ServerSetting("session.lifetime_hours", "720", "After so long a session ends whatever happens, 1 to 720."),
        ServerSetting(
            "session.retry_seconds", "60",
            "Within so long from its first use a refresh token may be used again by the same device, and gives the same answer, "
                + "0 to 300."),
        ServerSetting("session.access_token_seconds", "900", "How long an access token is good, 60 to 900."),
        ServerSetting("session.step_up_seconds", "300", "How old a sign-in may be for what is sensitive, 30 to 3600."),
        ServerSetting("limits.address_burst", "60", "How many requests an address may make at once, after a pause."),
        ServerSetting("limits.address_per_minute", "60", "How many each minute after that."),
        ServerSetting("limits.account_burst", "60", "How many requests an account may make at once, after a pause."),
        ServerSetting("limits.account_per_minute", "60", "How many each minute after that."),
        ServerSetting("limits.device_burst", "60", "How many refreshes a device may make at once, after a pause."),
        ServerSetting("limits.device_per_minute", "30", "How many each minute after that."),
        ServerSetting(
            "limits.recovery_burst", "5", "How many recovery codes an address may try at once, after a pause."),
        ServerSetting("limits.recovery_per_minute", "1", "How many each minute after that."),
        ServerSetting(
            "attestation.required", "false",
            "Whether only passkeys are taken that come with an attestation of a maker below."),
        ServerSetting("attestation.anchors", nil, "PEM files with the certificates of makers that are trusted."),
        ServerSetting(
            "attestation.metadata", nil,
            "The metadata of the FIDO Alliance, as downloaded: models that were broken are refused."),
        ServerSetting(
            "attestation.metadata_root", nil, "PEM file with the certificate that vouches for who signs the metadata."),
        ServerSetting(
            "attestation.insecure_sha1_of_tpms", "false",
            "Whether a TPM may sign its attestation with SHA-1, as most of those of Windows Hello do. "
                + "Who can make collisions of SHA-1 can register one key twice, and nobody else's."),
        ServerSetting(
            "attestation.android_software_keys", "false",
            "Whether an attestation of Android counts where Android keeps the key, and not secure hardware: "
                + "a device that was tampered with can say anything."),
        ServerSetting(
            "passkeys.may_become_synchronised", "false",
            "Whether a passkey that was bound to one device may turn out to be synchronised later."),
        ServerSetting("metrics.addresses", nil, "Addresses that may read /metrics, besides this machine."),
        ServerSetting(
            "introspection_clients", nil,
            "Services that may ask about tokens (RFC 7662), each as name:hash, with SHA-256 of its secret in hexadecimal."
        ),
    ]
}
