/// What is wrong with a policy file, and where.
public struct PolicyFault: Error, Equatable, Sendable {
    /// As in `rules[2].if.to`. Empty for the file as a whole.
    public let place: String
    /// A clause of English.
    public let problem: String

    init(_ place: String, _ problem: String) {
        self.place = place
        self.problem = problem
    }
}

extension PolicyFault: CustomStringConvertible {
    public var description: String { place.isEmpty ? problem : "\(place): \(problem)" }
}
