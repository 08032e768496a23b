/// An error of a request. It contains no target, header or body: they may contain keys.
public struct HTTPFailure: Error, Equatable, Sendable {
    /// The stages of a request that have a time-out.
    public enum Stage: Equatable, Sendable {
        /// The connection was not made in time, with its TLS handshake.
        case connecting
        /// The answer was not complete in time.
        case answering
    }

    /// The reasons.
    public enum Reason: Equatable, Sendable {
        /// The host is unknown, or nothing listens there.
        case notConnected
        /// The connection ended before the answer did.
        case closed
        /// The other end does not speak HTTP/1.1, or breaks its rules.
        case notHTTP
        /// The answer is longer than the request allows.
        case tooLarge(limit: Int)
        /// The time is over.
        case timedOut(Stage)
        /// TLS failed, or the certificate is not valid for the host: see the case.
        case untrusted(TrustFault)
        /// The certificate is valid, but has none of the pinned keys.
        case notPinned(PinFault)
        /// The origin is `http`, and the client's configuration does not allow it for this host.
        case notEncrypted
        /// The task was cancelled.
        case cancelled
    }

    /// The reason.
    public let reason: Reason
    /// Whether bytes of the request have been handed to the network: then the server may have acted.
    public let mayHaveArrived: Bool

    /// Creates an error.
    public init(_ reason: Reason, mayHaveArrived: Bool) {
        self.reason = reason
        self.mayHaveArrived = mayHaveArrived
    }
}

/// The reasons why a server's TLS connection is not trusted.
public enum TrustFault: Error, Equatable, Sendable {
    /// No chain of its certificates leads to a trusted authority.
    case unknownAuthority
    /// The certificate is for other names.
    case wrongName
    /// The certificate is not valid at this time.
    case expired
    /// The server speaks no version of TLS that is allowed.
    case version
    /// The certificate is for a name that an authority above it may not issue certificates for.
    case forbiddenName
    /// The certificate requires a proof that it is not revoked with each connection (RFC 7633, “OCSP must-staple”),
    /// which this client does not ask for.
    case stapleRequired
    /// The server presents more or larger certificates than any server needs.
    case tooManyCertificates
    /// The server's first bytes are not TLS: usually it is one for plain HTTP.
    case notTLS
    /// The server found no cipher, kind of key or kind of signature that this client accepts: its key may be on another
    /// curve than P-256, P-384 and P-521.
    case noCommonAlgorithm
    /// The handshake failed for another reason.
    case handshake
}

/// The reasons why a valid certificate was refused.
public enum PinFault: Equatable, Sendable {
    /// No key of the verified chain is pinned: the server has changed its keys, or somebody who controls a trusted
    /// authority is between.
    ///
    /// - Parameter served: the pins of the chain, from the server's certificate up.
    case unknownKeys(served: [Pin])
    /// The configuration requires pins for every host, and has none for this one.
    case noPins
    /// The pins have expired, and their policy is to refuse then.
    case pinsExpired
}
