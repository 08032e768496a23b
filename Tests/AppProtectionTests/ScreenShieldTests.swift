internal import AppProtection
internal import Secrets
internal import Testing

@Suite("What of an app's screen others may see")
struct ScreenShieldTests {
    /// A shield of an unlocked app in front.
    private func shown(_ rule: CaptureRule = .cover) -> ScreenShield {
        var shield = ScreenShield(whileCaptured: rule)
        for event in [ScreenEvent.becameInactive, .unlocked, .becameActive] { _ = shield.handle(event) }
        return shield
    }

    @Test("a window is covered until it is active and the app unlocked, in either order")
    func beginning() {
        var shield = ScreenShield(whileCaptured: .cover)
        #expect(shield.covers == [.inactive, .undecided])
        _ = shield.handle(.becameActive)
        #expect(shield.covers == [.undecided])
        _ = shield.handle(.unlocked)
        #expect(!shield.isCovered)
        #expect(!shown().isCovered)
    }

    @Test("an inactive window is covered before the system takes its picture, and uncovered without a question")
    func inactive() {
        var shield = shown()
        _ = shield.handle(.becameInactive)
        #expect(shield.covers == [.inactive])
        _ = shield.handle(.becameActive)
        #expect(!shield.isCovered)
    }

    @Test("after the background the first frame is covered until the app has decided")
    func firstFrame() {
        var shield = shown()
        for event in [ScreenEvent.becameInactive, .enteredBackground, .becameInactive, .becameActive] {
            _ = shield.handle(event)
            #expect(shield.isCovered, "after \(event)")
        }
        #expect(shield.covers == [.undecided])
        _ = shield.handle(.unlocked)
        #expect(!shield.isCovered)
    }

    @Test("a background that no inactive phase announced covers, too")
    func backgroundOnly() {
        var shield = shown()
        _ = shield.handle(.enteredBackground)
        #expect(shield.covers == [.inactive, .undecided])
    }

    @Test("a decision from before the background that arrives late does not count")
    func lateDecision() {
        var shield = shown()
        for event in [ScreenEvent.becameInactive, .enteredBackground, .unlocked, .becameActive] {
            _ = shield.handle(event)
        }
        #expect(shield.covers == [.undecided])
    }

    @Test("a locked app is covered while it is active, and a return does not uncover it")
    func locked() {
        var shield = shown()
        _ = shield.handle(.locked)
        #expect(shield.covers == [.locked])
        for event in [ScreenEvent.becameInactive, .enteredBackground, .becameActive] { _ = shield.handle(event) }
        #expect(shield.covers == [.locked])
    }

    @Test("a captured screen is covered for as long as the capture lasts, whatever else happens")
    func captured() {
        var shield = shown()
        #expect(shield.handle(.captureBegan) == .captureBegan)
        #expect(shield.covers == [.captured])
        for event in [ScreenEvent.becameInactive, .becameActive, .unlocked] { _ = shield.handle(event) }
        #expect(shield.covers == [.captured])
        _ = shield.handle(.captureEnded)
        #expect(!shield.isCovered)
    }

    @Test("the rule that hides only secrets hides them while the screen is captured")
    func secretsOnly() {
        var shield = shown(.hideSecrets)
        #expect(shield.secretFields == .outsideCaptures)
        _ = shield.handle(.captureBegan)
        #expect(!shield.isCovered && shield.secretFields == .hidden)
        _ = shield.handle(.captureEnded)
        #expect(shield.secretFields == .outsideCaptures)
    }

    @Test("a screenshot of the uncovered app is reported, and one of the cover is not")
    func screenshot() {
        var shield = shown()
        #expect(shield.handle(.screenshotTaken) == .screenshotTaken)
        _ = shield.handle(.locked)
        #expect(shield.handle(.screenshotTaken) == nil)
    }

    @Test("in every order of events, secrets are drawn only uncaptured, uncovered, and outside of captures")
    func properties() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed)
        let events: [ScreenEvent] = [
            .becameInactive, .enteredBackground, .becameActive, .unlocked, .locked, .captureBegan, .captureEnded,
            .screenshotTaken,
        ]
        for rule in CaptureRule.allCases {
            var shield = ScreenShield(whileCaptured: rule)
            var (isActive, isCaptured, isUnlocked) = (false, false, false)
            for _ in 0..<5_000 {
                let event = events[random.below(events.count)]
                // What the shield must not forget, written down in another way.
                switch event {
                case .becameActive: isActive = true
                case .becameInactive: isActive = false
                case .enteredBackground: (isActive, isUnlocked) = (false, false)
                case .locked: isUnlocked = false
                case .unlocked: isUnlocked = true
                case .captureBegan: isCaptured = true
                case .captureEnded: isCaptured = false
                case .screenshotTaken: break
                }
                _ = shield.handle(event)
                if !shield.isCovered {
                    #expect(isActive && isUnlocked && !(isCaptured && rule == .cover), "seed \(seed)")
                }
                if shield.secretFields == .outsideCaptures {
                    #expect(isActive && isUnlocked && !isCaptured, "seed \(seed)")
                }
            }
        }
    }
}

@Suite("One window of an app")
struct WindowProtectionTests {
    private func opened(_ session: UnlockedSession = UnlockedSession(rules)) -> WindowProtection {
        var window = WindowProtection(of: session, whileCaptured: .cover)
        _ = window.changed(to: .inactive, at: moment(0))
        _ = window.changed(to: .active, at: moment(0))
        _ = window.unlock(with: secret("key"), at: moment(0))
        return window
    }

    @Test("a window opens covered and locked, and unlocking uncovers it")
    func opening() {
        var window = WindowProtection(of: UnlockedSession(rules), whileCaptured: .cover)
        #expect(window.changed(to: .inactive, at: moment(0)) == .stayLocked)
        #expect(window.changed(to: .active, at: moment(0)) == .stayLocked)
        #expect(window.shield.covers == [.locked])
        #expect(window.unlock(with: secret("key"), at: moment(0)) == .checkAgain(within: .seconds(60)))
        #expect(!window.shield.isCovered)
    }

    @Test("a return within the limit uncovers with the last phase, and not before")
    func shortReturn() {
        var window = opened()
        for phase in [WindowPhase.inactive, .background, .inactive] {
            _ = window.changed(to: phase, at: moment(5))
            #expect(window.shield.isCovered, "\(phase)")
        }
        _ = window.changed(to: .active, at: moment(20))
        #expect(!window.shield.isCovered)
    }

    @Test("a return after the limit stays covered, and the secret is gone")
    func lateReturn() {
        let session = UnlockedSession(rules)
        var window = opened(session)
        _ = window.changed(to: .inactive, at: moment(5))
        _ = window.changed(to: .background, at: moment(5))
        _ = window.changed(to: .inactive, at: moment(35))
        #expect(window.changed(to: .active, at: moment(35)) == .stayLocked)
        #expect(window.shield.covers == [.locked])
        #expect(session.withSecret(at: moment(35)) { text($0) } == nil)
    }

    @Test("a touch or a timer between the return and its decision uncovers nothing")
    func touchBeforeDecision() {
        var window = opened()
        _ = window.changed(to: .background, at: moment(5))
        _ = window.changed(to: .inactive, at: moment(6))
        _ = window.touched(at: moment(6))
        _ = window.timePassed(at: moment(6))
        #expect(window.shield.covers == [.inactive, .undecided])
    }

    @Test("a timer that locks covers the window")
    func timer() {
        var window = opened()
        #expect(window.timePassed(at: moment(60)) == .lock(because: .idle))
        #expect(window.shield.covers == [.locked])
    }

    @Test("a lock in one window covers the other at its next event")
    func twoWindows() {
        let session = UnlockedSession(rules)
        var (first, second) = (opened(session), opened(session))
        #expect(first.lock(because: .user, at: moment(1)) == .lock(because: .user))
        #expect(first.shield.covers == [.locked])
        #expect(second.touched(at: moment(1)) == .stayLocked)
        #expect(second.shield.covers == [.locked])
    }

    @Test("captures and screenshots are reported to the window's shield")
    func captures() {
        var window = opened()
        #expect(window.screenshotTaken() == .screenshotTaken)
        #expect(window.captureChanged(to: true) == .captureBegan)
        #expect(window.shield.covers == [.captured])
        #expect(window.captureChanged(to: false) == nil)
        #expect(!window.shield.isCovered)
    }
}
