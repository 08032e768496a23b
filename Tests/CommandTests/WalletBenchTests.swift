import TestSupport
import Testing

@Suite("The benchmark of keys, signatures and the vault")
struct WalletBenchTests {
    private static let reference = "libsecp256k1_schnorr_sign"

    private func bench(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run("\(FuekiCommand.binaries)/WalletBench", arguments)
    }

    /// The lines of a successful run, each with N in place of its measured numbers.
    private func lines(_ arguments: String...) throws -> [String] {
        let ended = try bench(arguments)
        #expect(ended.isSuccess, "\(ended.errors)")
        return ended.output.split(separator: "\n").map {
            String($0).replacing(#/("(?!n")\w+":)[0-9.]+(?=[,}])/#) { "\($0.1)N" }
        }
    }

    private func timing(_ operation: String, times: Int, sends: Bool = false) -> String {
        let sent = sends ? #""sent_bytes":N,"# : ""
        return #"{"fastest_ns":N,"median_ns":N,"n":\#(times),"op":"\#(operation)","peak_memory_kib":N,\#(sent)"#
            + #""single_signatures":N}"#
    }

    @Test("each operation prints one line of JSON with its fields; slow ones do not run in every round")
    func everyOperation() throws {
        #expect(
            try lines("--rounds", "2") == [
                timing(Self.reference, times: 2),
                timing("frost_bip340_sign_2of3", times: 2),
                timing("frost_ed25519_sign_2of3", times: 2),
                timing("dkg_bip340_2of3", times: 2),
                timing("dkg_ed25519_2of3", times: 2),
                timing("libsecp256k1_ecdsa_sign", times: 2),
                timing("ecdsa_sign_2of3_per_signer", times: 1, sends: true),
                timing("ecdsa_sign_3of5_per_signer", times: 1, sends: true),
                timing("ecdsa_sign_2of3_prepared", times: 1),
                timing("ecdsa_dkg_2of3_per_party", times: 1),
                timing("sha512_4096_blocks", times: 1),
                timing("bip39_seed", times: 1),
                timing("bip32_cached_child", times: 2),
                timing("keccak256_1mib", times: 2),
                timing("ethereum_transfer_sign", times: 2),
                timing("ethereum_decode_10000", times: 1),
                timing("sha256_1mib", times: 2),
                timing("redact_1mib_log", times: 1),
                timing("vault_read", times: 2),
                timing("vault_write", times: 2),
                timing("vault_unlock", times: 1),
                #"{"bytes_per_session":N,"mappings":N,"n":2,"op":"ecdsa_live_sessions_2of3","sessions_per_gib":N}"#,
            ])
    }

    @Test("the operation that others are compared with is always measured")
    func selection() throws {
        #expect(
            try lines("--rounds", "1", "--only", "dkg_") == [
                timing(Self.reference, times: 1), timing("dkg_bip340_2of3", times: 1),
                timing("dkg_ed25519_2of3", times: 1),
            ])
        #expect(
            try lines("--only", "nothing", "--rounds", "1") == [timing(Self.reference, times: 1)])
    }

    @Test(
        "an unknown argument, no value and no round are refused",
        arguments: [["--json"], ["dkg_", "1"], ["--only"], ["--rounds", "0"], ["--rounds", "some"]])
    func refused(arguments: [String]) throws {
        let ended = try bench(arguments)
        #expect(ended.status == 64)
        #expect(ended.output.isEmpty)
        #expect(
            ended.errors == "WalletBench: usage: WalletBench [--rounds NUMBER] [--only NAME]; NUMBER is at least 1\n")
    }
}
