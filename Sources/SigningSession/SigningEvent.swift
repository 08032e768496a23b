public import Custody

/// An event of a signing, for a listener. The signing does not depend on listeners.
public enum SigningEvent: Equatable, Sendable {
    /// A share file is opened.
    case openingShare(ShareLocation)
    /// Attempts with this share fail repeatedly, or its counts are missing (nil).
    case shareWearsOut(ShareLocation, SigningCounts?)
    /// The participants of these shares sign.
    case signing([ShareLocation])
    /// The book could not record that the caller has the result.
    case acknowledgementUnnoted(SigningError)
}

/// A listener for events. It is called in the order of events, and must not block.
public typealias SigningListener = @Sendable (SigningEvent) -> Void
