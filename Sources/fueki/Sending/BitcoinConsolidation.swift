internal import Bitcoin
internal import Custody
internal import Nodes
internal import Wallet

extension BitcoinSending {
    /// Joins the smallest coins into one, at an address for change that was never used.
    func consolidate(most: Int) async throws(Failure) {
        let (ceiling, named) = (try ceiling(), try options.namedRate())
        let chain = try await node.bitcoin(for: wallet)
        let desk = try await SigningDesk.open(wallet, signing, global, output)
        let used = await BookScripts.used(in: desk.book, on: wallet.network)
        let (rates, height) = try await attempt { () async throws(NodeError) in
            (try await chain.feeRates(), try await chain.height())
        }
        let purse = try await BitcoinPurse.found(
            by: chain, for: wallet, reach: options.addresses.reach(of: wallet, in: global.walletHome), used: used,
            output)
        var order = ConsolidationOrder(
            of: purse.coins, feeRate: named ?? rates.rate(fees.fee), feeCeiling: ceiling,
            target: try purse.freshChange(), blockHeight: height)
        order.frozen = await desk.book.frozen()
        order.most = most
        let seed = PlanSeed.bytes("consolidate \(most)", purse.coins, of: wallet)
        let plan = try attempt { () throws(PlanRefusal) in try SpendPlan(order, for: purse.ownership, seed: seed) }
        output.note("\(plan.selection.coins.count) coins become one")
        let expected = try? rates.high.fee(virtualSize: plan.selection.virtualSize)
        try await BitcoinDelivery(chain: chain, output: output, waits: waits).deliver(
            plan.psbt, fee: plan.fee, node: NodeView(balance: try purse.total(), expectedFee: expected),
            accepting: accepted, for: nil, through: desk)
    }
}
