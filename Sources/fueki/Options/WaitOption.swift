internal import ArgumentParser

/// The choice whether a command waits until its transaction is mined.
struct WaitOption: ParsableArguments {
    @Flag(help: "Wait until it is mined.")
    var wait = false
}
