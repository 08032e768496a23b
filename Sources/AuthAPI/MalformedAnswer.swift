/// A response of the server that a client cannot read: a member is missing, has another type, or is out of range.
///
/// The fault is the server's, or that of a machine on the way. The request is not refused, and may have been carried
/// out: a client keeps its tokens and tries again later. ``ErrorAnswer`` reads the server's refusals.
public struct MalformedAnswer: Error, Equatable, Sendable {
    /// The path of the member: `session.device_id`, `events[3].at`. Empty if the response itself is not an object. It
    /// consists of names of this library and of numbers, and never contains text of the response.
    public let member: String

    /// Creates an error.
    ///
    /// - Parameter member: the path of the member; empty for the whole response.
    public init(member: String) { self.member = member }
}
