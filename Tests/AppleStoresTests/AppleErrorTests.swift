internal import Crypto
internal import Dispatch
internal import Foundation
internal import SecureStorage
internal import Synchronization
internal import Testing

@testable internal import AppleStores

@Suite("Errors of Apple's frameworks")
struct AppleErrorTests {
    @Test(
        "every documented code of LAError has its fault",
        arguments: [
            (-1, BackendFault.authenticationFailed(attemptsLeft: nil)), (-2, .cancelled), (-4, .interactionNotAllowed),
            (-5, .unavailable(.noPasscode)), (-6, .unavailable(.noDevice)), (-7, .unavailable(.noBiometry)),
            (-8, .lockedOut(seconds: nil)), (-9, .cancelled), (-10, .refused(code: -10)),
            (-11, .unavailable(.noDevice)),
            (-12, .unavailable(.noDevice)), (-13, .unavailable(.noDevice)), (-1004, .interactionNotAllowed),
            (-99, .refused(code: -99)),
        ])
    func localAuthentication(code: Int, fault: BackendFault) {
        #expect(LocalAuthenticationErrors.fault(code: code) == fault)
        #expect(EnclaveErrors.fault(domain: EnclaveErrors.localAuthentication, code: code) == fault)
    }

    @Test("the wish for another way is not a fault of the gate")
    func fallback() {
        #expect(LocalAuthenticationErrors.fault(code: -3) == nil)
        #expect(EnclaveErrors.fault(domain: EnclaveErrors.localAuthentication, code: -3) == .cancelled)
    }

    @Test(
        "a number means what its domain says",
        arguments: [
            (EnclaveErrors.osStatus, -25308, BackendFault.interactionNotAllowed),
            (EnclaveErrors.osStatus, -128, .cancelled),
            (EnclaveErrors.osStatus, -34018, .unavailable(.noEntitlement)),
            (EnclaveErrors.osStatus, -25293, .authenticationFailed(attemptsLeft: nil)),
            (EnclaveErrors.osStatus, -3, .refused(code: -3)),
            (EnclaveErrors.cryptoTokenKit, -3, .bindingChanged(.device)),
            (EnclaveErrors.cryptoTokenKit, -4, .cancelled), (EnclaveErrors.cryptoTokenKit, -9, .interactionNotAllowed),
            ("another", -25308, .refused(code: -25308)),
        ])
    func domains(domain: String, code: Int, fault: BackendFault) {
        #expect(EnclaveErrors.fault(domain: domain, code: code) == fault)
    }

    @Test(
        "an unreachable Apple server and an unusable key give different errors",
        arguments: [
            (0, BackendFault.refused(code: 0)), (1, .unavailable(.noDevice)), (2, .refused(code: 2)),
            (3, .bindingChanged(.device)), (4, .unavailable(.noService)),
        ])
    func appAttest(code: Int, fault: BackendFault) {
        #expect(AppAttestErrors.fault(code: code) == fault)
    }

    @Test("a function that calls back twice has given the first answer")
    func awaited() {
        let answer = AwaitedAnswer<Int?>()
        answer.give(nil)
        answer.give(2)
        #expect(answer.wait() == nil)
    }
}

/// Apple's service, in memory: keys, the digests that it was given, and a fault to come.
private final class FakeAppAttest: AppAttestCalls {
    struct State {
        var isSupported = true
        var keyID = Data(repeating: 7, count: 32).base64EncodedString()
        var fault: BackendFault?
        var object: [UInt8] = [0xa3]
        var asked: [(String, [UInt8])] = []
        var hang: (@Sendable () -> Void)?
    }

    let state = Mutex(State())

    var isSupported: Bool { state.withLock { $0.isSupported } }

    func generateKey() throws(SecureStorageError) -> String { state.withLock { $0.keyID } }

    func attestKey(_ keyID: String, clientDataHash: [UInt8]) throws(SecureStorageError) -> [UInt8] {
        try answer(keyID, clientDataHash)
    }

    func generateAssertion(_ keyID: String, clientDataHash: [UInt8]) throws(SecureStorageError) -> [UInt8] {
        try answer(keyID, clientDataHash)
    }

    private func answer(_ keyID: String, _ hash: [UInt8]) throws(SecureStorageError) -> [UInt8] {
        state.withLock { $0.hang }?()
        let (fault, object) = state.withLock { state in
            state.asked.append((keyID, hash))
            return (state.fault, state.object)
        }
        if let fault { throw .backend(.secureEnclave, fault) }
        return object
    }
}

@Suite("App Attest")
struct AppAttestTests {
    private let service = FakeAppAttest()
    private var attest: AppAttest { AppAttest(over: service, limit: .seconds(600)) }

    private func fault(_ fault: BackendFault) -> SecureStorageError { .backend(.secureEnclave, fault) }

    @Test("a statement and an assertion are over the SHA-256 digest of what the server expects")
    func digests() async throws {
        let key = try await attest.makeKey()
        #expect(try await attest.attest(key, clientData: [1, 2]) == .appAttest(object: [0xa3], keyID: key.description))
        #expect(try await attest.assertion(by: key, clientData: [3]) == [0xa3])
        let asked = service.state.withLock { $0.asked }
        #expect(asked.map(\.0) == [key.description, key.description])
        #expect(asked.map(\.1) == [[1, 2], [3]].map { [UInt8](SHA256.hash(data: $0 as [UInt8])) })
    }

    @Test("a device without App Attest says so, and is asked for nothing")
    func unsupported() async throws {
        let key = try await attest.makeKey()
        service.state.withLock { $0.isSupported = false }
        #expect(attest.unavailability == .unavailable(.noDevice))
        await #expect(throws: fault(.unavailable(.noDevice))) { try await attest.makeKey() }
        await #expect(throws: fault(.unavailable(.noDevice))) { try await attest.attest(key, clientData: [1]) }
        #expect(service.state.withLock { $0.asked.isEmpty })
    }

    @Test("a fault of the service is passed on")
    func faults() async throws {
        let key = try await attest.makeKey()
        service.state.withLock { $0.fault = .unavailable(.noService) }
        await #expect(throws: fault(.unavailable(.noService))) { try await attest.attest(key, clientData: [1]) }
    }

    @Test("ids that are not base64 of 32 bytes, and empty or huge objects, are malformed answers")
    func malformed() async throws {
        let key = try await attest.makeKey()
        for object in [[], [UInt8](repeating: 0, count: AppleLimits.appAttestObject + 1)] {
            service.state.withLock { $0.object = object }
            await #expect(throws: fault(.malformedAnswer)) { try await attest.attest(key, clientData: [1]) }
        }
        for id in ["", "AAAA", String(repeating: "A", count: 44), Data(count: 31).base64EncodedString() + "\n"] {
            service.state.withLock { $0.keyID = id }
            await #expect(throws: fault(.malformedAnswer)) { try await attest.makeKey() }
        }
    }

    @Test("a service that never calls back ends at the time limit")
    func hangs() async throws {
        let key = try await attest.makeKey()
        let release = DispatchSemaphore(value: 0)
        service.state.withLock { $0.hang = { release.wait() } }
        let hasty = AppAttest(over: service, limit: .milliseconds(20))
        await #expect(throws: fault(.timedOut)) { try await hasty.attest(key, clientData: [1]) }
        release.signal()
    }
}
