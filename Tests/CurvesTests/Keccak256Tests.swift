internal import Curves
internal import Secrets
internal import TestSupport
internal import Testing

@Suite("Keccak-256")
struct Keccak256Tests {
    @Test(
        "known answers, at the edges of a block too",
        arguments: [
            ("", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
            ("abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
            (
                "The quick brown fox jumps over the lazy dog",
                "4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15"
            ),
            ("transfer(address,uint256)", "a9059cbb2ab09eb219583f4a59a5d0623ade346d962bcd4e46b11da047c9049b"),
            (
                String(repeating: "a", count: 135),
                "34367dc248bbd832f4e3e69dfaac2f92638bd0bbd18f2912ba4ef454919cf446"
            ),
            (
                String(repeating: "a", count: 136),
                "a6c4d403279fe3e0af03729caada8374b5ca54d8065329a3ebcaeb4b60aa386e"
            ),
            (
                String(repeating: "a", count: 137),
                "d869f639c7046b4929fc92a4d988a8b22c55fbadb802c0c66ebcd484f1915f39"
            ),
        ])
    func knownAnswers(_ text: String, _ hash: String) {
        #expect(hex(Keccak256.hash(Array(text.utf8))) == hash)
    }

    /// The result of pycryptodome: the hash of all hashes of 0, 1, 2 … bytes.
    @Test("inputs of every length up to 499 bytes match an independent implementation")
    func lengths() {
        var all = Keccak256()
        for length in 0..<500 { all.update(Keccak256.hash((0..<length).map { UInt8(truncatingIfNeeded: $0) })) }
        #expect(hex(all.finalize()) == "8c2d7d16d2a70815e25e9417e4f9dbf8c9206bb928cb0adbdadd6ba7ede58b1d")
    }

    @Test("input in parts hashes like the whole, and the hasher starts again")
    func parts() {
        let bytes = SeededRandom(seed: 5).publicBytes(count: 700)
        let whole = Keccak256.hash(bytes)
        var hasher = Keccak256()
        for size in [1, 7, 8, 135, 136, 137, 272, 500] {
            for start in stride(from: 0, to: bytes.count, by: size) {
                hasher.update(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(hasher.finalize() == whole, "in parts of \(size)")
        }
        var moved = bytes
        let secret = SecretBytes(moving: &moved)
        hasher.update(secret)
        #expect(hasher.finalizeSecret().withUnsafeBytes { Array($0) } == whole)
    }

    @Test("a million times a")
    func long() {
        #expect(
            hex(Keccak256.hash([UInt8](repeating: 0x61, count: 1_000_000)))
                == "fadae6b49f129bbb812be8407b7b2894f34aecf6dbd1f9b0f0c7e9853098fc96")
    }
}
