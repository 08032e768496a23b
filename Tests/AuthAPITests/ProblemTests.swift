import AuthAPI
import Encoding
import Testing

@Suite("Problems")
struct ProblemTests {
    /// Clients depend on the codes: a code may be added, and never changes.
    @Test("every code has the status that clients know")
    func codes() {
        let codes = ProblemCode.allCases.map { "\($0.status) \($0.rawValue)" }
        #expect(
            codes == [
                "400 malformed_request", "413 too_large", "415 unsupported_media_type", "404 not_found",
                "405 method_not_allowed", "403 proxy_required", "400 client_unnamed", "401 invalid_client",
                "401 invalid_token", "401 use_dpop_nonce",
                "401 invalid_dpop_proof", "401 insufficient_user_authentication", "429 rate_limited",
                "400 device_revoked", "400 account_locked", "400 invalid_grant", "400 unsupported_grant_type",
                "400 challenge_invalid", "400 challenge_expired", "400 challenge_used", "400 origin_not_allowed",
                "400 user_verification_required", "400 passkey_refused", "401 passkey_unknown", "409 passkey_exists",
                "409 passkey_last", "400 attestation_refused", "400 attestation_unsupported", "409 limit_reached",
                "403 sign_up_closed", "400 invitation_refused",
                "400 recovery_refused", "503 unavailable", "500 internal_error",
            ])
    }

    @Test("the body has the form of RFC 9457, and the code for OAuth clients too")
    func body() throws {
        let problem = Problem(.rateLimited, retryAfter: 7)
        #expect(
            problem.json.text == """
                {"type":"/problems#rate_limited","title":"\(ProblemCode.rateLimited.title)","status":429,\
                "code":"rate_limited","error":"temporarily_unavailable","retry_after":7}
                """)
        #expect(Problem(problem.json) == problem)
        let stepUp = Problem(.insufficientUserAuthentication, maxAge: 300)
        #expect(Problem(stepUp.json) == stepUp)
        #expect(Problem(.useDPoPNonce, status: 400).json["status"]?.number?.integer() == 400)
    }

    @Test(
        "an answer that is not a problem document of this server is not decoded",
        arguments: ["{}", "{\"code\": \"nothing\"}", "[]", "{\"code\": 1}"])
    func foreign(text: String) throws {
        #expect(Problem(try json(text)) == nil)
    }

    @Test("a known code is a problem with the status of the response", arguments: ProblemCode.allCases)
    func knownCode(_ code: ProblemCode) {
        let problem = Problem(code, retryAfter: 7, maxAge: 300)
        #expect(ErrorAnswer(status: code.status, body: problem.json) == .problem(problem))
        let lying = Problem(code, status: 200)
        #expect(ErrorAnswer(status: code.status, body: lying.json) == .problem(Problem(code)))
        // An endpoint may use another status of the same class.
        let status = code.status / 100 * 100 + 99
        #expect(ErrorAnswer(status: status, body: Problem(code).json) == .problem(Problem(code, status: status)))
    }

    @Test(
        "a code of a newer server, and a body that is no problem, keep the status",
        arguments: [
            "{\"code\": \"later\", \"status\": 401}", "{\"error\": \"invalid_grant\"}", "{\"code\": null}", "[]",
            "\"invalid_grant\"",
        ])
    func unknownCode(text: String) throws {
        for status in [400, 401, 403, 429, 502, 503] {
            #expect(ErrorAnswer(status: status, body: try json(text)) == .other(status: status))
            #expect(ErrorAnswer(status: status, body: nil) == .other(status: status))
        }
    }

    @Test("a refusal with the status of a server's fault or of a success is no refusal")
    func otherClass() {
        for status in [200, 302, 500, 502, 503] {
            #expect(ErrorAnswer(status: status, body: Problem(.invalidGrant).json) == .other(status: status))
        }
        #expect(ErrorAnswer(status: 401, body: Problem(.unavailable).json) == .other(status: 401))
    }

    @Test(
        "a time to wait that is negative or no integer is left out, and the code still counts",
        arguments: ["-1", "1.5", "\"7\"", "null", "1e99"])
    func wait(text: String) throws {
        let body = try json("{\"code\": \"rate_limited\", \"retry_after\": \(text), \"max_age\": \(text)}")
        #expect(ErrorAnswer(status: 429, body: body) == .problem(Problem(.rateLimited)))
        #expect(Problem(body) == Problem(.rateLimited))
    }

    @Test("a time to wait is at most an hour; a longer one is left out, and the code still counts")
    func longWait() throws {
        for (seconds, read) in [(3600, 3600), (3601, nil), (Int.max, nil)] as [(Int, Int?)] {
            let body = try json("{\"code\": \"rate_limited\", \"retry_after\": \(seconds)}")
            #expect(ErrorAnswer(status: 429, body: body) == .problem(Problem(.rateLimited, retryAfter: read)))
        }
    }

    @Test("every title is a sentence")
    func titles() {
        for code in ProblemCode.allCases {
            #expect(code.title.hasSuffix("."), "\(code)")
            #expect(code.title.first?.isUppercase == true, "\(code)")
        }
    }
}
