/// A mistake in a policy file.
public struct PolicyFault: Error, Equatable, Sendable {
    /// The place of the mistake, as in `rules[2].if.to`. Empty for the file as a whole.
    public let place: String
    /// The mistake, as an English clause.
    public let problem: String

    init(_ place: String, _ problem: String) {
        self.place = place
        self.problem = problem
    }
}

extension PolicyFault: CustomStringConvertible {
    public var description: String { place.isEmpty ? problem : "\(place): \(problem)" }
}
