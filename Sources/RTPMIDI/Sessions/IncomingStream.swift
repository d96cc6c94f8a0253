// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// The packets that come from one partner, made into events with their times.
struct IncomingStream: Sendable {
  /// An event that is to wait for its time.
  struct Arrival: Sendable {
    var time: HostTime
    var partner: Int
    var content: SessionEvent.Content
  }

  /// Stamps that lie further ahead than this, in nanoseconds, mean nothing: 2 s.
  private static let furthest: Int64 = 2_000_000_000
  /// The longest SysEx that is put together, in octets.
  static let longestSysEx = 1 << 20
  /// How soon we say what came: in nanoseconds, and where something was missing.
  private static let reportPause: Int64 = 500_000_000
  private static let urgentPause: Int64 = 10_000_000

  private var receiver = JournalReceiver()
  /// When the last event of theirs is to sound: none comes before it.
  private var last = HostTime(nanoseconds: .min)
  private var assembly: [UInt8]?
  /// What they have begun, as it was handed on.
  private var ledger = NoteLedger()
  private(set) var count = 0
  private(set) var nextReport = HostTime(nanoseconds: .max)

  var lostCount: Int { receiver.lostCount }

  /// What a packet comes to.
  ///
  /// - Parameters:
  ///   - packet: The packet.
  ///   - due: When it is to sound; nil where nobody knows.
  ///   - now: The time.
  ///   - partner: Whose it is.
  /// - Returns: What is to be played, in order; none of a packet that comes again, or too late.
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
    // What was lost is made up for at once, yet behind what waits for its time.
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

  /// A whole message, or nil where only a piece of one came.
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

  /// Notes what was handed on.
  mutating func note(_ message: Message) { ledger.record(message) }

  /// What ends all that was handed on.
  mutating func releases() -> [Message] { ledger.takeReleases(cuttingSound: false) }

  /// The number of the last packet, where it is time to say so.
  mutating func report(at now: HostTime) -> UInt16? {
    guard nextReport <= now else { return nil }
    nextReport = HostTime(nanoseconds: .max)
    return receiver.lastSequence
  }
}
