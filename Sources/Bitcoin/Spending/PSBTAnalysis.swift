internal import HDKeys

/// A single pass over a PSBT that collects everything for a ``SpendSummary``.
struct PSBTAnalysis {
    private(set) var inputs: [SpendSummary.Input] = []
    private(set) var outputs: [SpendSummary.Output] = []
    private(set) var fee: Amount?
    private(set) var requests: [SigningRequest] = []
    private(set) var warnings: [SpendWarning] = []
    private(set) var refusals: [Refusal] = []

    private let psbt: PSBT
    private let ownership: Ownership
    private let sighashes: Sighashes?
    /// Whether an input of the wallet is spent by ECDSA.
    private var spendsSegwit = false

    init(of psbt: PSBT, for ownership: Ownership) {
        self.psbt = psbt
        self.ownership = ownership
        sighashes = (try? psbt.previousOutputs()).flatMap { try? Sighashes(psbt.unsignedTransaction, spending: $0) }
        var seen: Set<OutPoint> = []
        for index in psbt.inputs.indices {
            let outPoint = psbt.unsignedTransaction.inputs[index].previousOutput
            if !seen.insert(outPoint).inserted { refusals.append(.duplicateInput(outPoint)) }
            examine(input: index)
        }
        for index in psbt.outputs.indices { examine(output: index) }
        if outputs.isEmpty { refusals.append(.noOutputs) }
        if outputs.lazy.filter({ $0.data != nil }).reduce(0, { $0 + $1.scriptPubKey.bytes.count })
            > BitcoinLimits.dataScriptBytes
        {
            refusals.append(.tooMuchData(limit: BitcoinLimits.dataScriptBytes))
        }
        if spendsSegwit { requireProofs() }
        let ours = inputs.filter { $0.path != nil }
        if ours.isEmpty { refusals.append(.noInputOfOurs) }
        if !ours.isEmpty && ours.allSatisfy(\.isSigned) { refusals.append(.nothingToSign) }
        if requests.count > BitcoinLimits.ownInputs {
            refusals.append(.tooManyInputs(limit: BitcoinLimits.ownInputs))
        }
        let unknown = psbt.unknownFieldCount
        if unknown > 0 { warnings.append(.unknownFields(count: unknown)) }
        computeFee()
    }

    private mutating func examine(input index: Int) {
        let input = psbt.inputs[index]
        let wire = psbt.unsignedTransaction.inputs[index]
        let script = input.previousOutput?.scriptPubKey
        if script == nil { refusals.append(.missingPreviousOutput(input: index)) }
        let verdict = script.map { ownership.verdict(on: $0, claims: input.claims) }
        if verdict?.isFalselyClaimed == true { refusals.append(.falseInputClaim(input: index)) }
        if !input.isConsistent { refusals.append(.inconsistentInput(input: index)) }
        let key = verdict?.key
        var isSigned = input.isFinal
        if let key {
            if input.previousOutput?.amount == .zero { refusals.append(.worthlessInput(input: index)) }
            isSigned = isSigned || examine(own: input, index, key)
        } else if let script {
            warnings.append(.foreignInput(input: index))
            if case .p2tr = script.kind {} else if !input.isProven { warnings.append(.unverifiedAmount(input: index)) }
        }
        if input.sighashType?.coversEverything != true { warnings.append(.unusualSighash(input: index)) }
        // BIP-68: bit 31 disables it, and a value of 0 requires nothing.
        if psbt.unsignedTransaction.version >= 2, wire.sequence < 1 << 31, wire.sequence & 0xFFFF != 0 {
            warnings.append(.relativeLock(input: index))
        }
        inputs.append(
            SpendSummary.Input(
                outPoint: wire.previousOutput, previousOutput: input.previousOutput,
                address: script.flatMap { Address<Checked>($0, on: ownership.network) }, path: key?.path,
                sighashType: input.sighashType, isSigned: isSigned))
    }

    /// Examines an input of the wallet, and collects its refusals and warnings.
    ///
    /// - Returns: whether the input is signed already.
    private mutating func examine(own input: PSBTInput, _ index: Int, _ key: DerivedKey) -> Bool {
        switch key {
        case .taproot(let key):
            if input.hasScriptPath { refusals.append(.scriptPath(input: index)) }
            if let claimed = input.tapInternalKey, claimed != key.internalKey {
                refusals.append(.inconsistentInput(input: index))
            }
        case .segwit:
            spendsSegwit = true
            if input.hasTaprootFields { refusals.append(.inconsistentInput(input: index)) }
        }
        guard let type = input.sighashType, type.coversEverything else {
            refusals.append(.unsupportedSighash(input: index))
            return false
        }
        guard !input.isFinal, let sighashes else { return false }
        if let witness = input.keyWitness {
            guard (try? psbt.verify(witness, input: index, sighashes: sighashes)) != nil else {
                refusals.append(.invalidSignature(input: index))
                return false
            }
            return true
        }
        if let message = try? sighashes.hash(input: index, type: type) {
            requests.append(SigningRequest(input: index, message: message, sighashType: type, key: key))
        }
        return false
    }

    /// Requires proven amounts. Otherwise two PSBTs of one transaction, each with a lie about another input's amount,
    /// would together give all the signatures for a fee that neither of them showed.
    private mutating func requireProofs() {
        for (index, input) in psbt.inputs.enumerated() where input.previousOutput != nil && !input.isProven {
            refusals.append(.unprovenAmount(input: index))
        }
    }

    private mutating func examine(output index: Int) {
        let output = psbt.unsignedTransaction.outputs[index]
        let verdict = ownership.verdict(on: output.scriptPubKey, claims: psbt.outputs[index].claims)
        if verdict.isFalselyClaimed {
            refusals.append(.falseOutputClaim(output: index))
        }
        if let path = verdict.key?.path, path.index >= ownership.scannedCount {
            warnings.append(
                isNearInputs(path) ? .highIndex(output: index, path: path) : .farIndex(output: index, path: path))
        }
        if output.scriptPubKey.data != nil { warnings.append(.data(output: index)) }
        if output.scriptPubKey.kind == .unknown { warnings.append(.unknownScript(output: index)) }
        if output.scriptPubKey.isUnspendable {
            if output.amount > .zero { warnings.append(.unspendable(output: index)) }
        } else if output.amount < output.scriptPubKey.dustLimit {
            warnings.append(.dust(output: index))
        }
        outputs.append(
            SpendSummary.Output(
                amount: output.amount, scriptPubKey: output.scriptPubKey,
                address: Address<Checked>(output.scriptPubKey, on: ownership.network),
                path: verdict.key?.path))
    }

    /// Returns whether an address is near those that the transaction spends from, at the usual distance of change. An
    /// address beyond the range of every command is never near: an attacker may send coins there to make it seem so.
    private func isNearInputs(_ path: AddressPath) -> Bool {
        guard let highest = inputs.compactMap(\.path?.index).max(), path.index < BitcoinLimits.farthestAddress else {
            return false
        }
        return path.index <= highest + BitcoinLimits.addressGap
    }

    private mutating func computeFee() {
        guard let spent = try? psbt.previousOutputs() else { return }
        guard let available = try? Amount.sum(spent.lazy.map(\.amount)) else {
            refusals.append(.impossibleAmount)
            return
        }
        // Reading the transaction has checked the sum of its outputs.
        guard let paid = try? Amount.sum(psbt.unsignedTransaction.outputs.lazy.map(\.amount)),
            let difference = try? available.subtracting(paid)
        else {
            refusals.append(.outputsExceedInputs)
            return
        }
        fee = difference
    }
}
