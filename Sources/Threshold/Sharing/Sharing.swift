/// Makes and moves shares of keys of every purpose (``Ciphersuite``).
///
/// It is one protocol, verified secret sharing by several dealers, with three origins (``Origin``):
/// - fresh: a new key, to which all participants deal a random number; it is never whole (distributed key generation);
/// - shares of a key: they are refreshed, a lost one is repaired, or the key goes to another group and threshold;
/// - a whole secret, which the participant that has it imports.
///
/// Dealers deal, receivers receive, and most participants do both. They know each other by their host keys; a
/// coordinator, which is trusted with nothing, passes the messages on.
///
/// ```swift
/// // Everyone: says hello with `introduction.message`. All build the same session from the introductions.
/// let introduction = Sharing.Introduction<Sharing.ECDSA>(hostKey: hostKey, random: SystemRandom())
/// let session = try Sharing.Session<Sharing.ECDSA>(fresh: 2, participants: introductions)
/// // Step 1: dealers commit to their openings, with `committed.message`.
/// let committed = try introduction.begin(session, hostKey: hostKey, random: SystemRandom())
/// // The coordinator: sends `coordinator.message` to all.
/// let coordinator = try Sharing.Coordinator(session: session, commitments: messagesByDealer)
/// // Step 2: dealers say it, with `opened.message`.
/// let opened = try committed.open(message)
/// // The coordinator: sends `dealings.message` to all.
/// let dealings = try coordinator.collect(openings: messagesByDealer)
/// // Step 3: each party checks everything, and signs the transcript, with `pending.message`.
/// let pending = try opened.receive(message, hostKey: hostKey, random: SystemRandom())
/// // The coordinator: sends `certificate.message` to all.
/// let certificate = try dealings.certify(messagesByParty)
/// // Step 4: only now there is a share.
/// let output = try pending.activate(message)
/// ```
///
/// No share comes out before all have signed the same transcript. A participant that does not get the certificate keeps
/// its old share.
///
/// - Warning: This library never destroys an old share; the caller does. Delete it after all receivers have
///   acknowledged (``RecoveryData/verify(acknowledgements:)``), and not before: until then it is unknown whether all
///   new shares are stored. But then delete it: a threshold of old shares is still the key.
public enum Sharing {}
