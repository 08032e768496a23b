internal import Custody
internal import Threshold

extension ThresholdError: Explained {
    var failure: Failure {
        switch self {
        case .faulty(let culprits):
            Failure(
                code: .ceremony, name: "faulty_share",
                message: "the signature does not verify, because of "
                    + culprits.map { "the \(ShareLocation(index: $0.value).name) share" }.joined(separator: " and "))
        default: Failure(code: .ceremony, name: "ceremony", message: "the holders could not sign: \(self)")
        }
    }
}
