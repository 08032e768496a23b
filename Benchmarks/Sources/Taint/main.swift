import CMemcheck
import Curves
import Secrets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

// Runs computations with secrets under valgrind, with the secrets marked as undefined: also through libsodium and
// libsecp256k1. Exits with 1 if a branch or an address depends on one, except in the contexts of permitted.supp.

guard cmemcheck_is_running() else {
    print("taint: runs under valgrind only: scripts/constant-time")
    exit(2)
}

/// Returns the number of branches and addresses that depend on a secret.
func errors(in operation: Operation) -> UInt32 {
    let before = cmemcheck_errors()
    do { try operation.run() } catch {
        print("taint: \(operation.name): \(error)")
        exit(2)
    }
    return cmemcheck_errors() - before
}

/// Controls that must be found: a branch, and an address.
let table = [UInt8](0...255)
let controls = [
    Operation("control: a branch") {
        SecretBytes.tainted(1).withUnsafeBytes { if $0[0] > 127 { print("", terminator: "") } }
    },
    Operation("control: an address") { SecretBytes.tainted(1).withUnsafeBytes { use(table[Int($0[0])]) } },
]

var problems: [String] = []
for control in controls where errors(in: control) == 0 { problems.append("\(control.name) was not found") }
let operations =
    ScalarOperations<Secp256k1>.all("secp256k1") + ScalarOperations<Ed25519>.all("edwards25519") + RowOperations.all
    + TransferOperations().all
for operation in operations {
    let count = errors(in: operation)
    if count != operation.verdicts {
        problems.append(
            "\(operation.name): \(count) branches or addresses depend on a secret, and not \(operation.verdicts)")
    }
}
for problem in problems { print("taint: \(problem)") }
if problems.isEmpty {
    print("taint: \(operations.count) operations, and no branch and no address that a secret decides")
}
exit(problems.isEmpty ? 0 : 1)
