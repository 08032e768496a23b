public import SecureStorage

/// An error of this module. It contains neither a key nor a secret.
public enum CredentialError: Error, Equatable, Sendable {
    /// An input is not valid.
    case invalid(InputField, InputFault)
    /// No key of this label is stored.
    case noKey
    /// A key of this label is stored already.
    case labelTaken
    /// The key was revoked on this machine, and is not used again.
    case revoked
    /// The vault of keys is not where this machine has seen one. Bring it back; a new one would have none of its keys
    /// and would not know which ones were revoked.
    case keysMissing
    /// The secret store failed.
    case store(SecureStorageError)
}
