public enum WalletError: Error, Equatable, Sendable {
}
