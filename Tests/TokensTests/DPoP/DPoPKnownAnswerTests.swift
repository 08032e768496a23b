import Encoding
import Testing
import Time

@testable import Tokens

@Suite("Proofs of RFC 9449")
struct DPoPKnownAnswerTests {
    static let header =
        "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0Rs"
        + "cEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2"
        + "In19"
    /// Section 4.1
    static let proof =
        header + ".eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rv"
        + "a2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ"
        + ".2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg"
    /// Section 5, of the refresh request
    static let refreshProof =
        header + ".eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rv"
        + "a2VuIiwiaWF0IjoxNTYyMjY1Mjk2fQ"
        + ".pAqut2IRDm_De6PR93SYmGBPXpwrAk90e8cP2hjiaG5QsGSuKDYW7_X620BxqhvYC8ynrrvZLTk41mSRroapUA"
    /// Section 7.1
    static let resourceProof =
        header + ".eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9w"
        + "cm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtz"
        + "bVFFbyJ9"
        + ".2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA"
    static let accessToken = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"
    /// Section 6.1, `cnf.jkt`
    static let thumbprint = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"

    @Test(
        "the proofs of the token requests verify, at their time, and have the thumbprint of section 6.1",
        arguments: [(proof, Int64(1_562_262_616)), (refreshProof, Int64(1_562_265_296))])
    func tokenRequests(_ proof: String, _ issuedAt: Int64) throws {
        let url = try ProofURL("https://server.example.com/token")
        let verified = try DPoPProof.verify(
            proof, method: "POST", url: url, presentedWith: .alone, timeliness: .clock,
            now: Timestamp(seconds: issuedAt + 5))
        #expect(verified.thumbprint.description == Self.thumbprint)
        #expect(verified.keepUntil == Timestamp(seconds: issuedAt + 120))
    }

    @Test("the proof of the resource request matches the access token beside it")
    func resourceRequest() throws {
        // RFC 9449's access token is no JWT: what a verified token has of it is its hash and its key.
        let session = try Session()
        let verify = { (token: String, thumbprint: String) in
            let bound = AccessToken(
                issuer: "", audience: "", client: "", account: session.account, session: session.id,
                device: try KeyThumbprint(thumbprint), authentication: try session.token().authentication,
                scope: try Scope(""), now: .noon, lifetime: .minutes(15), random: session.random)
            return try DPoPProof.verify(
                Self.resourceProof, method: "GET", url: try ProofURL("https://resource.example.org/protectedresource"),
                presentedWith: .accessToken(AccessToken.Verified(token: bound, hash: AccessToken.hash(of: token))),
                timeliness: .clock, now: Timestamp(seconds: 1_562_262_618))
        }
        #expect(try verify(Self.accessToken, Self.thumbprint).thumbprint.description == Self.thumbprint)
        #expect(throws: TokensError.wrongClaim(.accessTokenHash)) { try verify("x", Self.thumbprint) }
        #expect(throws: TokensError.wrongClaim(.confirmation)) {
            try verify(Self.accessToken, session.device.publicKey.thumbprint.description)
        }
    }
}
