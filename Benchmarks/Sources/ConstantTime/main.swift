import Curves

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

// Measures whether operations on secrets take the same time for all secrets, and exits with 1 if one does not. It is a
// statistical test: it sees effects that scripts/constant-time cannot (the time of instructions, caches, libraries),
// and misses effects that are rare, or below about a thousandth of the measured time.
//
//     ConstantTime [NAME...]
//
// Without a name, all operations are measured. The controls always are.

/// Returns whether the times of the two classes differ, after printing a line about it.
func differs(_ experiment: Experiment) -> Bool {
    let attempts = experiment.run()
    guard let last = attempts.last else { return false }
    let differs = Experiment.differ(attempts)
    let name = experiment.name + String(repeating: " ", count: max(0, 44 - experiment.name.count))
    let deviations = attempts.map { String(Int($0.deviation.rounded())) }.joined(separator: ", ")
    let difference = (last.difference * 10).rounded() / 10
    print("\(name) \(differs ? "differs" : "       ") \(deviations) σ; \(Int(last.mean)) ns, random \(difference) more")
    return differs
}

var problems: [String] = []
for experiment in Controls.leaking where !differs(experiment) {
    problems.append(
        "\(experiment.name) was not found: this machine is too noisy to find anything, or the test is broken")
}
if differs(Controls.same) { problems.append("a difference was found where there is none: the test is broken") }

let all =
    ScalarExperiments<Secp256k1>.all("secp256k1") + ScalarExperiments<Ed25519>.all("edwards25519") + RowExperiments.all
    + TransferExperiments().all + SetupExperiments().all
let names = CommandLine.arguments.dropFirst()
let experiments = all.filter { names.isEmpty || names.contains($0.name) }
problems += names.filter { name in !all.contains { $0.name == name } }.map { "no operation is named \($0)" }
for experiment in experiments where differs(experiment) {
    problems.append("\(experiment.name): its time depends on the secret")
}
for problem in problems { print("timing: \(problem)") }
if problems.isEmpty { print("timing: \(experiments.count) operations on secrets, and no time that tells them apart") }
exit(problems.isEmpty ? 0 : 1)
