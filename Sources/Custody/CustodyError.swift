public enum CustodyError: Error, Equatable, Sendable {
}
