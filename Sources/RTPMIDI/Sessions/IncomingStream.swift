// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// Converts the packets of one peer to events with times.
struct IncomingStream: Sendable {
  /// An event that waits for its time.
  struct Arrival: Sendable {
    var time: HostTime
    var partner: Int
    var content: SessionEvent.Content
  }

  /// The furthest time in the future that is accepted, in nanoseconds: 2 s.
  ///
  /// Later time stamps are ignored.
  private static let furthest: Int64 = 2_000_000_000
  /// The longest SysEx that is assembled, in bytes.
  static let longestSysEx = 1 << 20
  /// The longest times until received packets are acknowledged, in nanoseconds: normally, and after
  /// a loss.
  private static let reportPause: Int64 = 500_000_000
  private static let urgentPause: Int64 = 10_000_000

  private var receiver = JournalReceiver()
  /// The time of the last event; later events are not played before it.
  private var last = HostTime(nanoseconds: .min)
  private var assembly: [UInt8]?
  /// The notes that were passed on.
  private var ledger = NoteLedger()
  private(set) var count = 0
  private(set) var nextReport = HostTime(nanoseconds: .max)

  var lostCount: Int { receiver.lostCount }

  /// Processes a packet.
  ///
  /// - Parameters:
  ///   - packet: The packet.
  ///   - due: The time at which it should be played; nil if not known.
  ///   - now: The current time.
  ///   - partner: The number of the peer.
  /// - Returns: The events to play, in order; empty for a packet that arrived twice or too late.
  mutating func take(
    _ packet: DataPacket, due: HostTime?, at now: HostTime, partner: Int
  ) -> [Arrival] {
    let lost = receiver.lostCount
    guard let outcome = receiver.receive(packet) else { return [] }
    count += 1
    let isUrgent = receiver.lostCount > lost || packet.commands.isEmpty
    nextReport = min(
      nextReport, now.advanced(saturating: isUrgent ? Self.urgentPause : Self.reportPause))
    var arrivals: [Arrival] = []
    func add(_ content: PacketCommand.Content, _ time: HostTime) {
      guard let content = assembled(content) else { return }
      arrivals.append(Arrival(time: time, partner: partner, content: content))
    }
    // Repairs are played at once, but after events that wait for their times.
    if !outcome.mending.isEmpty { last = max(last, now) }
    for content in outcome.mending { add(content, last) }
    let limit = now.advanced(saturating: Self.furthest)
    var time = due.flatMap { $0 <= limit ? $0 : nil } ?? now
    for command in outcome.commands {
      time = time.advanced(saturating: Int64(command.delay) * ClockTracker.unit)
      last = max(last, min(time, limit), now)
      add(command.content, last)
    }
    return arrivals
  }

  /// A complete message, or nil for a piece of one.
  private mutating func assembled(_ content: PacketCommand.Content) -> SessionEvent.Content? {
    switch content {
    case .message(let message): return .message(message)
    case .cancelledSysEx:
      assembly = nil
      return nil
    case .sysEx(let inside, let opens, let closes):
      if opens { assembly = [] }
      assembly?.append(contentsOf: inside)
      if let count = assembly?.count, count > Self.longestSysEx { assembly = nil }
      guard closes, let whole = assembly else { return nil }
      assembly = nil
      return .sysEx(whole)
    }
  }

  /// Records a message that was passed on.
  mutating func note(_ message: Message) { ledger.record(message) }

  /// The messages that end everything that was passed on.
  mutating func releases() -> [Message] { ledger.takeReleases(cuttingSound: false) }

  /// The number of the last packet, if it is time to acknowledge it.
  mutating func report(at now: HostTime) -> UInt16? {
    guard nextReport <= now else { return nil }
    nextReport = HostTime(nanoseconds: .max)
    return receiver.lastSequence
  }
}
