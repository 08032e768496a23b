import Bitcoin
import Custody
import HDKeys
import Payments
import SigningSession
import Sweep
import TestSupport
import Testing
import Wallet

@testable import SigningSessionTestSupport

@Suite("Confirmation of a sweep", .timeLimit(.minutes(20)))
struct SweepConfirmationTests {
    @Test("a sweep whose fee is large is sent after a question or with the finding's name, and not with neither")
    func sweep() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain()
        let accounts = try MnemonicAccounts(
            seed: guarded([UInt8](repeating: 7, count: 64)), on: .regtest, account: 0)
        let first = try AddressPath(.receive, index: 0)
        _ = try chain.fund(try accounts.accounts.taproot.key(at: first).scriptPubKey, 40_000)
        var fee = BitcoinFee.test
        fee.rate = FeeRate(satoshisPerKilobyte: 130_000)
        let wallet = try await home.home.proven(home.wallet, passphrase: guarded(TestHome.passphrase))
        let sweep = try await BitcoinSweep(
            of: accounts.accounts, into: wallet, in: home.home, reach: AddressReach(shown: ShownAddresses()), fee: fee,
            at: chain)
        func next(_ method: ConfirmationMethod, isRehearsal: Bool = false) -> SweepConfirmation {
            sweep.confirmation(by: method, isRehearsal: isRehearsal, now: 1_700_000_000)
        }
        let costs = sweep.costs(now: 1_700_000_000)
        #expect(!costs.isEmpty)
        #expect(next(.question) == .question)
        #expect(next(.advance(accepting: .none)) == .unaccepted(costs))
        #expect(next(.advance(accepting: AcceptedFindings(Set(costs.map(\.name))))) == .confirmed)
        #expect(next(.advance(accepting: .none), isRehearsal: true) == .rehearsed)
        #expect(chain.taken == [])
    }
}
