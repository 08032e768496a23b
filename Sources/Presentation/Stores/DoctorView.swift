package import DeviceStores
internal import SecureStorage
package import Texts

/// The findings of `fueki doctor`.
package struct DoctorView: Encodable {
    struct Finding: Encodable {
        let severity: String
        let finding: String
        /// The backend that the finding is about; omitted if it is about none.
        let backend: String?
        let text: String
        let hint: String?
    }

    let findings: [Finding]

    /// Whether there is a problem.
    package let hasProblem: Bool

    enum CodingKeys: String, CodingKey { case findings }

    package init(_ findings: [Doctor.Finding], home: String) {
        hasProblem = findings.contains { $0.severity == .problem }
        self.findings = findings.compactMap { Self.finding($0, home) }
    }

    private static func finding(_ finding: Doctor.Finding, _ home: String) -> Finding? {
        func make(
            _ name: String, _ text: String, backend: StoreBackend? = nil, hint: String? = nil,
            _ severity: Doctor.Severity? = nil
        ) -> Finding {
            Finding(
                severity: (severity ?? finding.severity).rawValue, finding: name, backend: backend?.rawValue,
                text: text,
                hint: hint)
        }

        switch finding {
        case .backend(let report):
            // A store of another system cannot be wanted here.
            if report.fault == .unavailable(.otherSystem) { return nil }
            guard let fault = report.fault else {
                let days = report.daysToTryAllPINs.map { "; trying all PINs of four digits takes \($0) days" } ?? ""
                return make(
                    "usable", "\(report.backend.subject) can be used\(days)", backend: report.backend, .good)
            }
            let failure = fault.failure(of: report.backend)
            return make(failure.name, failure.message, backend: report.backend, hint: failure.hint)
        case .currentStore(let backend, nil):
            return make("store", "credentials are kept in \(backend.subject)", backend: backend)
        case .brokenStore(let error):
            return make("bad_store", "the credentials: \(error.clause)", hint: error.failure.hint)
        case .currentStore(let backend, let fault?):
            let failure = fault.failure(of: backend)
            return make(
                failure.name,
                "credentials are kept in \(backend.subject), which cannot be used: \(failure.message)",
                backend: backend, hint: failure.hint)
        case .wallet(let name, let chip, nil):
            return make(
                "wallet", "the share of '\(name)' on this machine needs \(chip.subject), which can be used",
                backend: chip)
        case .wallet(let name, let chip, let fault?):
            let failure = fault.failure(of: chip)
            return make(
                failure.name,
                "the share of '\(name)' on this machine needs \(chip.subject): \(failure.message)",
                backend: chip,
                hint: "the other shares sign (--with), and 'fueki wallet repair --lost device' makes a new one")
        case .migration(let from, let to, let isMoved):
            return make(
                "migration",
                isMoved
                    ? "the credentials were moved from \(from.rawValue) to \(to.rawValue), and the old ones are still there"
                    : "a migration from \(from.rawValue) to \(to.rawValue) was interrupted",
                hint: isMoved
                    ? "'fueki store migrate --confirm' deletes the old ones, and '--undo' returns"
                    : "run it again, or 'fueki store migrate --undo'")
        case .leftCounters(let count):
            return make(
                "left_counters",
                "interrupted commands may have left \(count) counter\(count == 1 ? "" : "s") in the TPM",
                backend: .tpm,
                hint: "the next 'fueki store migrate --to tpm' or 'fueki store reseal --new-chip' removes them")
        case .secretMemory(isLocked: true, _): return make("memory", "secrets in memory are locked against swapping")
        case .secretMemory(isLocked: false, let swaps):
            return make(
                "memory",
                swaps
                    ? "secrets in memory can be written to the swap device of this machine"
                    : "secrets in memory are not locked, and this machine has no swap device",
                hint: "raise the limit of locked memory: 'ulimit -l', or LimitMEMLOCK= of systemd")
        case .openFolder(let mode):
            return make(
                "open_folder", "other users can look into \(home) (mode \(String(mode, radix: 8)))",
                hint: "chmod 700 \(home)")
        case .randomness(isHealthy: true): return make("randomness", "the random generator passes its health tests")
        case .randomness(isHealthy: false):
            return make(
                "randomness", "the random generator fails its health tests: make no keys on this machine",
                hint: "restart the machine; if it stays so, the system's generator is broken")
        }
    }

    /// - Parameter columns: the width of the terminal.
    package func text(columns: Int) -> StyledText {
        LabelledRows(
            findings.map { finding in
                LabelledRows.Row(
                    Self.label(finding.severity), [finding.text] + (finding.hint.map { [$0] } ?? []),
                    Self.style(finding.severity))
            }
        ).text(columns: columns)
    }

    private static func label(_ severity: String) -> String { severity == "good" ? "ok" : severity }

    private static func style(_ severity: String) -> StyledText.Style {
        switch severity {
        case "problem": .refusal
        case "warning": .warning
        case "note": .faint
        default: .plain
        }
    }
}
