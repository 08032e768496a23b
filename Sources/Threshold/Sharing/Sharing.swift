/// Makes and moves shares: everything that does so apart from ChillDKG, which makes keys for Schnorr and Ed25519.
///
/// It is one protocol, verified secret sharing by several dealers, with three origins (``Origin``):
/// - fresh: a new key for threshold ECDSA, which nobody ever holds;
/// - shares of a key: they are refreshed, one that was lost is repaired, or the key goes to another group and threshold;
/// - a whole secret, which is imported by the one who has it.
///
/// Dealers deal, receivers receive, and most participants do both. They know each other by their host keys; a coordinator,
/// who is trusted with nothing, passes the messages on.
///
/// ```swift
/// // Everyone: says hello with `introduction.message`. All build the same session from the introductions.
/// let introduction = Sharing.Introduction<DKG.ECDSA>(hostKey: hostKey, random: SystemRandom())
/// let session = try Sharing.Session<DKG.ECDSA>(fresh: 2, participants: introductions)
/// // Step 1: dealers commit to what they will say, with `committed.message`.
/// let committed = try introduction.begin(session, hostKey: hostKey, random: SystemRandom())
/// // The coordinator: sends `coordinator.message` to all.
/// let coordinator = try Sharing.Coordinator(session: session, commitments: messagesByDealer)
/// // Step 2: dealers say it, with `opened.message`.
/// let opened = try committed.open(message)
/// // The coordinator: sends `dealings.message` to all.
/// let dealings = try coordinator.collect(openings: messagesByDealer)
/// // Step 3: each checks everything, and signs what it saw, with `pending.message`.
/// let pending = try opened.receive(message, hostKey: hostKey, random: SystemRandom())
/// // The coordinator: sends `certificate.message` to all.
/// let certificate = try dealings.certify(messagesByParty)
/// // Step 4: only now there is a share.
/// let output = try pending.activate(message)
/// ```
///
/// No share comes out before all have signed the same transcript. Whoever does not get the certificate keeps what it had.
///
/// - Warning: this library never destroys an old share, and must not be the one to do it. Delete it after all receivers
///   have acknowledged (``RecoveryData/verify(acknowledgements:)``), and not before: until then nobody can know that the new
///   shares are everywhere. Delete it then: old shares of a threshold of holders are still the key.
public enum Sharing {}
