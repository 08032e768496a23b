internal import Custody

/// The files that approvers give.
enum ApprovalFiles {
    static func read(_ paths: [String]) throws(Failure) -> [Approval] {
        var approvals: [Approval] = []
        for path in paths {
            let bytes = try InputFile.read(path)
            approvals.append(try attempt(on: path) { () throws(CustodyError) in try Approval(file: bytes) })
        }
        return approvals
    }
}
