package import PinnedHTTP
package import Texts

extension PinPolicy.Fault: Explained {
    package var failure: Failure { Failure(code: .malformed, name: "bad_pin_policy", message: words) }

    private var words: Phrase {
        switch self {
        case .notJSON: "it is not a JSON file of at most \(HTTPLimits.policyBytes >> 10) KiB without repeated names"
        case .member(let name): "the member '\(name)' is missing, or not of its type"
        case .unknownMember: "it has a member that the format does not have"
        case .format: "the format has to be 1"
        case .host(let index, let fault): "hosts[\(index)]: \(fault.words)"
        case .repeatedHost: "a host has two entries"
        case .tooManyHosts: "it has more than \(HTTPLimits.policyHosts) hosts"
        }
    }
}

extension HostPins.Fault {
    fileprivate var words: Phrase {
        switch self {
        case .host: "the host is not a DNS name in lower case, or an IP address"
        case .noPins: "there is no pin"
        case .noBackup: "there is no backup pin"
        case .repeatedPin: "a pin is there twice"
        case .tooMany: "there are too many pins or exclusions"
        case .exclusion: "an excluded name is not below the host, or the entry has no subdomains"
        }
    }
}
