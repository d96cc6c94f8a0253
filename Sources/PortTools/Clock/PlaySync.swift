// SPDX-License-Identifier: Apache-2.0
package import ClockService
internal import CommandKit
package import JACKAudio
package import MIDIPorts

/// The ports by which a song that plays follows and leads, and what its master has done.
package struct PlaySync {
  /// How long the last messages may take to leave, in nanoseconds.
  private static let patience = Duration.seconds(1)

  package let log = ClockLog()
  /// Whether nobody is told.
  package let isQuiet: Bool
  /// JACK's transport, where that is followed: keys and other programs lead it.
  package var transport: JACKTransport?
  /// The ports that a master is heard by.
  package var input: InputPorts?
  /// The ports that are led: of the system that plays, so that one queue orders what both send, or
  /// of one of their own.
  var outputs: [OutputPorts] = []

  package init(isQuiet: Bool) {
    self.isQuiet = isQuiet
  }

  /// The sentences about the master.
  var news = MasterNews(of: nil)

  /// The line at the start: what playback waits for; nil if it follows nothing.
  var startLine: String?

  /// Reports at the start what playback waits for.
  package func reportStart() {
    if let startLine, !isQuiet { Terminal.report(startLine) }
  }

  /// What happened since the last look.
  package private(set) var events: [ClockEvent] = []

  /// What becomes readable when ports come or go.
  package var descriptors: [Int32] {
    (input?.keeper.descriptors ?? []) + outputs.flatMap(\.descriptors)
  }

  /// Connects ports again that are back, and tells what the master has done.
  ///
  /// - Throws: where what has the ports is gone.
  package mutating func update(_ tell: (String) -> Void) throws {
    try input?.keeper.update().told()
    for ports in outputs { try ports.update().told() }
    events = log.take()
    for case .master(let event) in events {
      guard let words = news.sentence(about: event) else { continue }
      JSONReport.tell(event, words)
      if !isQuiet { tell(words) }
    }
  }

  /// Waits a moment for the last messages to leave.
  package func drain() {
    for ports in outputs { ports.drain(within: Self.patience) }
  }
}
