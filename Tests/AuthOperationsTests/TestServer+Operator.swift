internal import SQLStore
internal import Secrets
internal import ServerAudit
internal import StoreTestSupport

@testable internal import AuthOperations
@testable internal import AuthServerTestSupport

extension TestServer {
    /// The server's store, as the operator's commands see it.
    func operatorStore(sealer: ColumnSealer = sealer, audit: AuditOutbox? = nil) -> OperatorStore {
        OperatorStore(database, sealer: sealer, audit: audit, clock: { [clock] in clock.now }, random: random())
    }

    /// The accounts, as the operator's commands see them.
    var accounts: OperatorAccounts { OperatorAccounts(store: operatorStore()) }
}
