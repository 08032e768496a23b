public enum SecureStorageError: Error, Equatable, Sendable {
}
