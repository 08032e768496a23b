internal import Nodes
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
        case .untrusted(let fault):
            Failure(
                code: .unavailable, name: "server_untrusted", message: words,
                hint: fault == .unknownAuthority
                    ? "for a server of your own, name the authority of its certificate with --ca" : nil)
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
        case .untrusted(let fault) where fault.isOfCertificate:
            "the server's TLS certificate is not trusted: \(fault.clause)"
        case .untrusted(let fault): "the TLS connection to the server failed: \(fault.clause)"
        case .notPinned(let fault): fault.clause
        case .notEncrypted: "the address is not https"
        case .cancelled: "cancelled"
        }
    }
}

extension SOCKSProxy {
    /// Reads a proxy's address as ``init(url:)`` does.
    package static func named(_ url: String) throws(Failure) -> SOCKSProxy {
        guard let proxy = SOCKSProxy(url: url) else {
            throw .usage(
                "this is not a proxy's address: it is socks5://host:port, with user:password@ before the host or without"
            )
        }
        return proxy
    }
}
