// SPDX-License-Identifier: Apache-2.0
package import ClockService
internal import CommandKit
package import JACKAudio
package import MIDIPorts

/// The ports of a playing song for following and sending clocks, and the events of its master.
package struct PlaySync {
  /// The time limit for sending the last messages.
  private static let patience = Duration.seconds(1)

  package let log = ClockLog()
  /// True if events of the master are reported only in JSON output.
  package let isQuiet: Bool
  /// The JACK transport, if the song follows it; keys and other programs control it.
  package var transport: JACKTransport?
  /// The ports of the master.
  package var input: InputPorts?
  /// The ports that receive a clock.
  ///
  /// They belong to the system of the song's ports, so that one queue orders the messages of both,
  /// or to a separate one.
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

  /// The events since the last update.
  package private(set) var events: [ClockEvent] = []

  /// The descriptors that are readable when ports appear or disappear.
  package var descriptors: [Int32] {
    (input?.keeper.descriptors ?? []) + outputs.flatMap(\.descriptors)
  }

  /// Reconnects ports that have returned, and reports the events of the master.
  ///
  /// - Throws: The error of a port system that is gone.
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

  /// Waits up to 1 s until the last messages are sent.
  package func drain() {
    for ports in outputs { ports.drain(within: Self.patience) }
  }
}
