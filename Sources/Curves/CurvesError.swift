/// What is wrong with an encoding of a scalar, a point or a signature.
public enum CurvesError: Error, Equatable, Sendable {
}
