/// The places that can keep secrets or keys: the backends of the stores and of the hardware keys.
///
/// The raw values are the names that users type: `secret-service`.
public enum StoreBackend: String, CaseIterable, Codable, Sendable {
    /// The keychain of Apple's systems.
    case keychain
    /// A file that is sealed with a passphrase, or with a passphrase and a chip: ``VaultFile``.
    case vault
    /// The Secret Service of a Linux desktop, such as GNOME Keyring or KWallet, over D-Bus.
    case secretService = "secret-service"
    /// The keyring of the Linux kernel. It forgets at the end of the session, and at the latest at shutdown.
    case kernelKeyring = "kernel-keyring"
    /// A TPM 2.0.
    case tpm
    /// The Secure Enclave of Apple's devices.
    case secureEnclave = "secure-enclave"
    /// A key in a file that is protected by its mode only. It is not hardware.
    case software
    /// The memory of this process, for tests.
    case memory

    /// Whether a store in this place needs a chip of this machine, and opens with a PIN.
    public var needsChip: Bool { self == .tpm || self == .secureEnclave }
}
