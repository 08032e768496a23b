import AuthAPI
import Encoding
import Secrets
import TestSupport
import Testing

@testable import Tokens

@Suite("Refresh tokens as text, and rows as bytes")
struct RefreshTokenTests {
    let family: RefreshFixture

    init() throws { family = try RefreshFixture() }

    /// 32 bytes of one value.
    private static func secret(_ byte: UInt8) -> SecretBytes {
        var bytes = [UInt8](repeating: byte, count: 32)
        return SecretBytes(moving: &bytes)
    }

    @Test("golden: the text of a token, its hash, and its tag, computed by Python")
    func golden() throws {
        let keys = RefreshTagKeys(current: 3, secret: Self.secret(0x42))
        let id = try #require(SessionID(bytes: Array(0..<16)))
        let token = RefreshToken(family: id, generation: 0x0102_0304, keys: keys, random: Counting())
        #expect(
            hex(token.bytes)
                == "0103000102030405060708090a0b0c0d0e0f01020304"
                + "c0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedf" + Self.goldenTag)
        #expect(token.text.utf8.count == 94)
        #expect(token.text == Self.goldenText)
        #expect(hex(token.hash) == Self.goldenHash)
        let read = try RefreshToken(Self.goldenText, keys: keys)
        #expect(read.family == id)
        #expect(read.generation == 0x0102_0304)
        #expect(read.hash == token.hash)
    }

    static let goldenTag = "db81b77c964fb0eab4d6147ca8788b71"
    static let goldenText =
        "AQMAAQIDBAUGBwgJCgsMDQ4PAQIDBMDBwsPExcbHyMnKy8zNzs_Q0dLT1NXW19jZ2tvc3d7f24G3fJZPsOq01hR8qHiLcQ"
    static let goldenHash = "07384a588408e5b2a8008edabd5fdc7950c932963ff2cd3b7fff216558ff141c"

    /// 0xc0, 0xc1, …
    private struct Counting: RandomSource {
        func fill(_ buffer: UnsafeMutableRawBufferPointer) {
            for position in buffer.indices { buffer[position] = 0xc0 &+ UInt8(truncatingIfNeeded: position) }
        }
    }

    @Test("a token with any bit changed, or made with other keys, is refused")
    func tag() throws {
        let bytes = family.first.bytes
        for position in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[position] ^= 1 << bit
                #expect(throws: position == 0 ? TokensError.malformed(.refreshToken) : .badTag, "byte \(position)") {
                    try RefreshToken(Base64URL.encode(changed), keys: family.keys)
                }
            }
        }
        let other = RefreshTagKeys(current: 5, secret: Self.secret(1))
        #expect(throws: TokensError.badTag) { try RefreshToken(family.first.text, keys: other) }
    }

    @Test("tokens of a replaced key are read as long as the ring has it")
    func ring() throws {
        let old = RefreshTagKeys(current: 1, secret: Self.secret(1))
        let token = RefreshToken(family: family.session.id, generation: 9, keys: old, random: family.random)
        var ring = RefreshTagKeys(current: 2, secret: Self.secret(2))
        #expect(throws: TokensError.badTag) { try RefreshToken(token.text, keys: ring) }
        try ring.add(1, secret: Self.secret(1))
        #expect(try RefreshToken(token.text, keys: ring).hash == token.hash)
        let next = try #require(token.successor(keys: ring, random: family.random))
        #expect(next.bytes[1] == 2)
        #expect(next.generation == 10)
        #expect(throws: TokensError.malformed(.key)) { try ring.add(1, secret: Self.secret(3)) }
        for number in UInt8(3)...16 { try ring.add(number, secret: Self.secret(number)) }
        #expect(throws: TokensError.tooLong(limit: 16)) { try ring.add(17, secret: Self.secret(17)) }
    }

    @Test("another length, alphabet or padding is refused")
    func malformed() {
        let text = family.first.text
        let texts = [
            "", String(text.dropLast()), String(text.dropLast(2)), " " + text.dropFirst(), "+" + text.dropFirst(),
            String(repeating: "é", count: 47),
        ]
        for text in texts {
            #expect(throws: TokensError.malformed(.refreshToken)) { try RefreshToken(text, keys: family.keys) }
        }
        for text in [text + "A", text + "=", text + text] {
            #expect(throws: TokensError.tooLong(limit: 94)) { try RefreshToken(text, keys: family.keys) }
        }
        // The last character has four unused bits.
        let last = text.dropLast() + "B"
        #expect(throws: TokensError.malformed(.refreshToken)) { try RefreshToken(String(last), keys: family.keys) }
    }

    @Test("after 2^32 tokens there is no next one")
    func last() {
        let token = RefreshToken(
            family: family.session.id, generation: .max, keys: family.keys, random: family.random)
        #expect(token.successor(keys: family.keys, random: family.random) == nil)
    }

    @Test("a printed token shows its identity and not its secret")
    func description() {
        #expect("\(family.first)" == "<refresh token 0 of \(family.session.id)>")
    }

    @Test("a successor opens with the redeemed token's random bytes, not with its hash, tag or the server's keys")
    func sealed() throws {
        let second = try #require(family.first.successor(keys: family.keys, random: family.random))
        let sealed = SealedSuccessor(second, under: family.first)
        #expect(sealed.bytes.count == SealedSuccessor.size)
        #expect(try sealed.open(with: family.first).bytes == second.bytes)
        // Everything but the redeemed token's random bytes is the same: an attacker with the store and the keys has
        // that.
        var bytes = family.first.bytes
        bytes[22] ^= 1
        #expect(throws: TokensError.damaged) { try sealed.open(with: try RefreshToken(bytes: bytes)) }
        // Two candidates that race are sealed under one key, each with a nonce of its own.
        let other = try #require(family.first.successor(keys: family.keys, random: family.random))
        #expect(SealedSuccessor(other, under: family.first).bytes.prefix(12) != sealed.bytes.prefix(12))
        // The sealed bytes are not a successor.
        let skipped = RefreshToken(family: second.family, generation: 2, keys: family.keys, random: family.random)
        #expect(throws: TokensError.damaged) {
            try SealedSuccessor(skipped, under: family.first).open(with: family.first)
        }
        let stranger = RefreshToken(
            family: try #require(SessionID(bytes: Array(1...16))), generation: 1, keys: family.keys,
            random: family.random)
        #expect(throws: TokensError.damaged) {
            try SealedSuccessor(stranger, under: family.first).open(with: family.first)
        }
    }

    // MARK: - Rotations

    private func rotations(_ count: Int) throws -> Rotations {
        let family = LoneClient(family)
        var token = family.first
        for number in 0..<count { token = try family.token(for: token, at: .noon + Int64(number)) }
        return family.row.recent
    }

    @Test("golden: the bytes of one rotation, sealed by Python")
    func goldenRotations() throws {
        let keys = RefreshTagKeys(current: 3, secret: Self.secret(0x42))
        let id = try #require(SessionID(bytes: Array(0..<16)))
        let token = RefreshToken(family: id, generation: 0, keys: keys, random: Counting())
        let next = try #require(token.successor(keys: keys, random: SeededRandom(seed: 4)))
        let rotation = Rotations.Rotation(
            redeemed: token.hash, at: .noon, successor: SealedSuccessor(next, under: token))
        #expect(Rotations().encoded == [1])
        #expect(hex(Rotations([rotation]).encoded) == Self.goldenRotation)
        let read = try Rotations(decoding: hex(Self.goldenRotation))
        #expect(try read.entries.first?.successor.open(with: token).bytes == next.bytes)
    }

    static let goldenRotation =
        "01"
        + "c626d353f2ef6626484fa3593fe84cec4ea3d276a41b742f00d85d107c35e207"
        + "000001a1fdfa46fa"
        + "06798c69b78492d6c408a711"
        + "78c564fb5e8f764a44b05e4867b059476f4f38c6f9f2f672372a6c961ef7268061c81cdb278dab56f210b6c8c4153f47ba46"
        + "5403be8760a5af654bc46e688c0723ac3a93b3caf198fdbe4b85d8d63221adffd596950f"

    @Test("up to eight rotations are read back")
    func roundTrip() throws {
        for count in 0...8 {
            let rotations = try rotations(count)
            #expect(rotations.encoded.count == 1 + count * 138)
            #expect(try Rotations(decoding: rotations.encoded) == rotations)
        }
    }

    @Test("another version or size, a ninth rotation, a repeated token, and a time beyond the limits are refused")
    func refused() throws {
        let one = try rotations(1).encoded
        let eight = try rotations(8).encoded
        // A ninth that would be read without the limit.
        let ninth = one[1...].enumerated().map { $0 < 32 ? ~$1 : $1 }
        var late = one
        late.replaceSubrange(33..<41, with: [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
        let broken: [[UInt8]] = [
            [], [0], [2] + Array(one.dropFirst()), Array(one.dropLast()), one + [0], one + Array(one.dropFirst()),
            eight + ninth, late,
        ]
        for bytes in broken {
            #expect(throws: TokensError.malformed(.rotations)) { try Rotations(decoding: bytes) }
        }
    }

    @Test("accepted bytes are encoded to the same bytes")
    func fuzz() throws {
        let seeds = try [0, 1, 2, 8].map { try rotations($0).encoded }
        #expect(Fuzz.roundTrips(of: seeds, decode: { try Rotations(decoding: $0) }, encode: { $0.encoded }) > 0.05)
        let keys = family.keys
        Fuzz.mutations(of: [Array(family.first.text.utf8)]) { bytes in
            guard let token = try? RefreshToken(String(decoding: bytes, as: UTF8.self), keys: keys) else { return }
            guard token.text == family.first.text else { throw TokensError.badTag }
        }
    }
}
