internal import Custody
internal import Encoding
internal import Wallet

/// The files that approvers give.
struct ApprovalFiles {
    private let files: [(path: String, approval: Approval)]

    static func read(_ paths: [String]) throws(Failure) -> ApprovalFiles {
        var files: [(String, Approval)] = []
        for path in paths {
            let bytes = try InputFile.read(path)
            files.append((path, try attempt(on: path) { () throws(CustodyError) in try Approval(file: bytes) }))
        }
        return ApprovalFiles(files: files)
    }

    var approvals: [Approval] { files.map(\.approval) }

    /// Which files do not count, each with why. Nil where all do.
    ///
    /// - Parameters:
    ///   - digest: of what is to be signed.
    ///   - decision: the policy's on it.
    func ignored(for digest: [UInt8], under policy: Policy, _ decision: Decision) -> [String]? {
        let asked = decision.findings.compactMap { finding -> [String]? in
            guard case .approval(_, let names) = policy.rules.first(where: { $0.name == finding.rule })?.outcome else {
                return nil
            }
            return names
        }.joined()
        let sentences = files.compactMap { path, approval -> String? in
            let names = policy.approvers(of: digest, in: [approval])
            if !names.isEmpty {
                return names.isDisjoint(with: asked)
                    ? "\(path) does not count: nobody asks for an approval by \(names.sorted().joined(separator: ", "))"
                    : nil
            }
            let reason =
                if approval.digest != digest {
                    "it approves something else, with the digest \(Hex.encode(approval.digest.prefix(8)))…"
                } else if !policy.approvers.values.contains(approval.approver) {
                    "its key, \(Hex.encode(approval.approver.prefix(8)))…, is that of no approver of the policy"
                } else {
                    "its signature is not by the key that it names"
                }
            return "\(path) does not count: \(reason)"
        }
        return sentences.isEmpty ? nil : sentences
    }
}
