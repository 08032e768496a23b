internal import Secrets

/// A secret that several values share.
final class HeldSecret: Sendable {
    let bytes: SecretBytes

    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
