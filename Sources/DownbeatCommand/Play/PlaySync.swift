// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import JACKAudio
internal import MIDIPorts

/// The ports by which a song that plays follows and leads, and what its master has done.
struct PlaySync {
  /// How long the last messages may take to leave, in nanoseconds.
  private static let patience = Duration.seconds(1)

  let log = ClockLog()
  /// Whether nobody is told.
  let isQuiet: Bool
  /// JACK's transport, where that is followed: keys and other programs lead it.
  var transport: JACKTransport?
  /// The ports that a master is heard by.
  var input: InputPorts?
  /// The ports that are led: of the system that plays, so that one queue orders what both send, or
  /// of one of their own.
  var outputs: [OutputPorts] = []

  init(isQuiet: Bool) {
    self.isQuiet = isQuiet
  }

  /// What happened since the last look.
  private(set) var events: [ClockEvent] = []

  /// What becomes readable when ports come or go.
  var descriptors: [Int32] { (input?.keeper.descriptors ?? []) + outputs.flatMap(\.descriptors) }

  /// Connects ports again that are back, and tells what the master has done.
  ///
  /// - Throws: where what has the ports is gone.
  mutating func update(_ tell: (String) -> Void) throws {
    try input?.keeper.update().told()
    for ports in outputs { try ports.update().told() }
    events = log.take()
    for case .master(let event) in events {
      guard let words = event.sentence else { continue }
      JSONReport.tell(event, words)
      if !isQuiet { tell(words) }
    }
  }

  /// Waits a moment for the last messages to leave.
  func drain() {
    for ports in outputs { ports.drain(within: Self.patience) }
  }
}
