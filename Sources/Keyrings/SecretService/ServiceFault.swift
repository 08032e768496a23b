internal import CKeyrings
internal import SecureStorage

/// The reasons why a call to the Secret Service failed, by what follows from them.
enum ServiceFault: Error {
    /// The call failed, and the session remains usable.
    case failed(SecureStorageError)
    /// The bus or the service has gone, or did not answer: the session is given up.
    case lost(BackendFault)
    /// The service does not know the session: it was restarted.
    case noSession
    /// The object does not exist: another program removed it.
    case noObject

    /// Throws the fault of an outcome.
    static func check(_ outcome: ck_outcome) throws(ServiceFault) {
        switch Int(outcome.kind) {
        case ck_ok: return
        case ck_timed_out: throw .lost(.timedOut)
        case ck_no_bus: throw .lost(.unavailable(.noSessionBus))
        case ck_no_service: throw .lost(.unavailable(.noService))
        case ck_denied: throw .backend(.unavailable(.noPermission))
        case ck_locked, ck_needs_prompt: throw .backend(.locked)
        case ck_no_object: throw .noObject
        case ck_no_session: throw .noSession
        case ck_unsupported: throw .backend(.unsupported)
        case ck_full: throw .backend(.full)
        case ck_malformed: throw .backend(.malformedAnswer)
        case ck_dismissed: throw .backend(.cancelled)
        default: throw .backend(.refused(code: Int(outcome.code)))
        }
    }

    static func backend(_ fault: BackendFault) -> ServiceFault { .failed(.backend(.secretService, fault)) }
}
