package import PinnedHTTP
package import Texts

extension HTTPFailure: Explained {
    package var failure: Failure {
        switch reason {
        case .cancelled: .cancelled()
        case .notPinned:
            Failure(
                code: .unavailable, name: "server_not_pinned", message: words,
                hint: "compare the pins with what the server's operator publishes")
        case .untrusted:
            Failure(
                code: .unavailable, name: "server_untrusted", message: words,
                hint: "for a server of your own, name the authority of its certificate with --ca")
        case .notConnected, .closed, .timedOut:
            Failure(code: .unavailable, name: "server_unreachable", message: words)
        case .notHTTP, .tooLarge, .notEncrypted: Failure(code: .unavailable, name: "bad_answer", message: words)
        }
    }

    private var words: String {
        switch reason {
        case .notConnected: "the server cannot be reached"
        case .closed: "the server closed the connection"
        case .notHTTP: "the server does not speak HTTP/1.1"
        case .tooLarge(let limit): "the answer is longer than \(limit) bytes"
        case .timedOut(.connecting): "the server did not connect in time"
        case .timedOut(.answering): "the server did not answer in time"
        case .untrusted(let fault): "the server's TLS connection is not trusted: \(fault.words)"
        case .notPinned(let fault): "the server's certificate is refused: \(fault.words)"
        case .notEncrypted: "the address is not https"
        case .cancelled: "cancelled"
        }
    }
}

extension TrustFault {
    fileprivate var words: String {
        switch self {
        case .unknownAuthority: "no chain of its certificates leads to a trusted authority"
        case .wrongName: "its certificate is for other names"
        case .expired: "its certificate is not valid at this time"
        case .version: "it does not speak TLS 1.3"
        case .tooManyCertificates: "it presents too many certificates"
        case .handshake: "the handshake failed"
        }
    }
}

extension PinFault {
    fileprivate var words: String {
        switch self {
        case .unknownKeys: "none of its keys is pinned"
        case .noPins: "the policy requires pins, and has none for this host"
        case .pinsExpired: "the pins have expired"
        }
    }
}
