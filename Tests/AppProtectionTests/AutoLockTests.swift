internal import Testing
internal import Time

@testable internal import AppProtection

/// A reading in which all clocks agree.
func moment(_ seconds: Int, slept: Int = 0, wall: Int? = nil) -> ClockReading {
    ClockReading(
        wall: Timestamp(seconds: 1_700_000_000 + Int64(wall ?? seconds)), uptime: .seconds(Int64(seconds)),
        awake: .seconds(Int64(seconds - slept)))
}

let rules = AutoLockRules(
    idle: .seconds(60), absolute: .seconds(600), background: .seconds(30), suspension: .seconds(20))

@Suite("When an app locks itself")
struct AutoLockTests {
    /// A machine that was unlocked at 0.
    private func unlocked(_ rules: AutoLockRules = rules) -> AutoLock {
        var lock = AutoLock(rules)
        _ = lock.handle(.unlocked, at: moment(0))
        return lock
    }

    @Test("an app that was not unlocked is locked, and no event but unlocking changes that")
    func startsLocked() {
        var lock = AutoLock(rules)
        for event in [AutoLockEvent.activity, .timer, .enteredBackground, .enteredForeground, .lock(.user)] {
            #expect(lock.handle(event, at: moment(0)) == .stayLocked)
        }
        #expect(lock.isLocked && lock.lastReason == .notYetUnlocked)
        #expect(lock.handle(.unlocked, at: moment(0)) == .checkAgain(within: .seconds(60)))
        #expect(!lock.isLocked)
    }

    @Test("an app locks at the idle limit, and a touch before it begins the time anew")
    func idle() {
        var lock = unlocked()
        #expect(lock.handle(.timer, at: moment(59)) == .checkAgain(within: .seconds(1)))
        #expect(lock.handle(.activity, at: moment(59)) == .checkAgain(within: .seconds(60)))
        #expect(lock.handle(.timer, at: moment(118)) == .checkAgain(within: .seconds(1)))
        #expect(lock.handle(.timer, at: moment(119)) == .lock(because: .idle))
        #expect(lock.handle(.timer, at: moment(120)) == .stayLocked)
    }

    @Test("a touch after the idle limit locks, and does not prolong")
    func lateTouch() {
        var lock = unlocked()
        #expect(lock.handle(.activity, at: moment(60)) == .lock(because: .idle))
    }

    @Test("a busy user is locked out at the absolute limit")
    func absolute() {
        var lock = unlocked()
        for second in stride(from: 10, to: 600, by: 10) {
            guard case .checkAgain = lock.handle(.activity, at: moment(second)) else {
                Issue.record("locked after \(second) s")
                return
            }
        }
        #expect(lock.handle(.activity, at: moment(600)) == .lock(because: .absoluteLimit))
    }

    @Test("unlocking again begins the absolute limit anew")
    func unlockAgain() {
        var lock = unlocked()
        _ = lock.handle(.unlocked, at: moment(50))
        #expect(lock.handle(.timer, at: moment(100)) == .checkAgain(within: .seconds(10)))
    }

    @Test("an app locks in the background at its limit, also at the return")
    func background() {
        var lock = unlocked()
        #expect(lock.handle(.enteredBackground, at: moment(10)) == .checkAgain(within: .seconds(30)))
        var other = lock
        #expect(lock.handle(.timer, at: moment(40)) == .lock(because: .background))
        #expect(other.handle(.enteredForeground, at: moment(40)) == .lock(because: .background))
    }

    @Test("an app that returns before the limit stays unlocked, and its background time is over")
    func shortBackground() {
        var lock = unlocked()
        _ = lock.handle(.enteredBackground, at: moment(10))
        #expect(lock.handle(.enteredForeground, at: moment(39)) == .checkAgain(within: .seconds(21)))
        #expect(lock.handle(.timer, at: moment(45)) == .checkAgain(within: .seconds(15)))
    }

    @Test("a second report of the background does not begin its time anew")
    func repeatedBackground() {
        var lock = unlocked()
        _ = lock.handle(.enteredBackground, at: moment(10))
        _ = lock.handle(.enteredBackground, at: moment(35))
        #expect(lock.handle(.enteredForeground, at: moment(41)) == .lock(because: .background))
    }

    @Test("activity in the background is not the user's")
    func backgroundActivity() {
        var lock = unlocked(
            AutoLockRules(idle: .seconds(60), absolute: .seconds(600), background: .seconds(500), suspension: nil))
        _ = lock.handle(.enteredBackground, at: moment(10))
        _ = lock.handle(.activity, at: moment(50))
        #expect(lock.handle(.timer, at: moment(61)) == .lock(because: .idle))
    }

    @Test("a background limit of zero locks at once")
    func zeroBackground() {
        var lock = unlocked(
            AutoLockRules(idle: .seconds(60), absolute: .seconds(600), background: .zero, suspension: nil))
        #expect(lock.handle(.enteredBackground, at: moment(1)) == .lock(because: .background))
    }

    @Test("a sleep of the device locks, although the time awake was short")
    func suspension() {
        var lock = unlocked()
        #expect(lock.handle(.timer, at: moment(25, slept: 20)) == .lock(because: .suspended))
    }

    @Test("a short sleep does not lock, and counts as time")
    func shortSuspension() {
        var lock = unlocked()
        #expect(lock.handle(.timer, at: moment(25, slept: 19)) == .checkAgain(within: .seconds(35)))
    }

    @Test("a long sleep reaches the idle limit, also without a rule for sleep")
    func sleepCounts() {
        var lock = unlocked(
            AutoLockRules(idle: .seconds(60), absolute: .seconds(6000), background: .seconds(30), suspension: nil))
        #expect(lock.handle(.activity, at: moment(3600, slept: 3590)) == .lock(because: .idle))
    }

    @Test("the time between the readings of two clocks does not count as sleep")
    func skew() {
        var lock = unlocked(
            AutoLockRules(idle: .seconds(60), absolute: .seconds(600), background: .seconds(30), suspension: .zero))
        #expect(lock.handle(.timer, at: moment(10, slept: 2)) == .checkAgain(within: .seconds(50)))
        #expect(lock.handle(.timer, at: moment(20, slept: 5)) == .lock(because: .suspended))
    }

    @Test("a wall clock that is set back never prolongs")
    func setBack() {
        var lock = unlocked()
        #expect(lock.handle(.timer, at: moment(59, wall: -100_000)) == .checkAgain(within: .seconds(1)))
        #expect(lock.handle(.timer, at: moment(60, wall: -100_000)) == .lock(because: .idle))
    }

    @Test("a wall clock that is ahead of a clock that stood still locks")
    func setForward() {
        var lock = unlocked()
        #expect(lock.handle(.timer, at: moment(1, wall: 60)) == .lock(because: .idle))
    }

    @Test("a monotonic clock that runs backwards locks")
    func backwards() {
        var lock = unlocked()
        _ = lock.handle(.activity, at: moment(30))
        #expect(lock.handle(.activity, at: moment(29)) == .lock(because: .clock))
    }

    @Test("an explicit lock has its reason", arguments: LockReason.allCases)
    func explicit(_ reason: LockReason) {
        var lock = unlocked()
        #expect(lock.handle(.lock(reason), at: moment(1)) == .lock(because: reason))
        #expect(lock.lastReason == reason)
    }

    @Test(
        "whatever happens, an unlocked app is within every limit, and the time to the next check is not longer than one"
    )
    func properties() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed)
        for _ in 0..<500 {
            var lock = AutoLock(rules)
            var (now, slept, unlockedAt, touched) = (0, 0, 0, 0)
            var away: Int?
            for _ in 0..<40 {
                let step = random.below(25)
                now += step
                if random.below(4) == 0 { slept += random.below(step + 1) }
                let at = moment(now, slept: slept, wall: now - random.below(1000))
                let event = [AutoLockEvent.unlocked, .activity, .timer, .enteredBackground, .enteredForeground][
                    random.below(5)]
                let wasLocked = lock.isLocked
                let instruction = lock.handle(event, at: at)
                if event == .unlocked { (unlockedAt, touched, away) = (now, now, nil) }
                guard !lock.isLocked else {
                    #expect(instruction == (wasLocked ? .stayLocked : .lock(because: lock.lastReason)), "seed \(seed)")
                    away = nil
                    continue
                }
                if event == .activity, away == nil { touched = now }
                if event == .enteredBackground { away = away ?? now }
                if event == .enteredForeground { away = nil }
                #expect(now - unlockedAt < 600 && now - touched < 60 && now - (away ?? now) < 30, "seed \(seed)")
                guard case .checkAgain(let time) = instruction else {
                    Issue.record("unlocked with \(instruction), seed \(seed)")
                    return
                }
                #expect(time > .zero && time <= .seconds(60), "seed \(seed)")
            }
        }
    }
}

/// A repeatable generator for properties.
struct SplitMix {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((z ^ (z >> 31)) % UInt64(bound))
    }
}
