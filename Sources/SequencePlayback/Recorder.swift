// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicSequences
public import MusicalTime

/// Makes tracks of received events, alone or beside a sequence that plays meanwhile.
///
/// It keeps every event with its time, in the reference time of what is heard meanwhile; only the
/// finished tracks are in ticks, each rounded once to the nearest. What was received before the
/// start takes effect there: a note that is still held begins at the start, and one that has ended
/// is left out.
///
/// - Note: one thread at a time. Not real-time safe.
public struct Recorder: Sendable {
  /// How received events are divided into tracks.
  public struct Division: OptionSet, Hashable, Sendable {
    /// One bit for each division.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A track for each sender.
    public static let senders = Division(rawValue: 1)
    /// A track for each channel.
    public static let channels = Division(rawValue: 2)
  }

  /// What is played while it records, or an empty sequence with a tempo: its ticks count.
  public let sequence: MusicSequence
  /// How received events are divided into tracks.
  public let division: Division

  private let tempoMap: TempoMap
  private var received = EventBuffer()
  private var start: (time: ReferenceTime, tick: Tick)?

  /// Creates a recorder that has not started.
  ///
  /// - Throws: `SequenceError.outOfRange` where the sequence's time does not fit 64 bits.
  public init(over sequence: MusicSequence, division: Division = []) throws(SequenceError) {
    self.sequence = sequence
    self.division = division
    tempoMap = try sequence.tempoMap
  }

  /// Starts, or moves the start: a tick and the instant at which it sounds.
  public mutating func start(from tick: Tick = .zero, at time: ReferenceTime) {
    start = (time, tick)
  }

  /// The instant of the start, or nil before it.
  public var startTime: ReferenceTime? { start?.time }

  /// How many events were taken.
  public var count: Int { received.events.count }

  /// The instant of the first event taken.
  public var firstTime: ReferenceTime? { received.events.first?.time }

  /// Takes received events; system messages other than SysEx are left out, since a file has no
  /// place for them.
  ///
  /// - Parameters:
  ///   - buffer: the events.
  ///   - base: where the recording's time lies on the host's clock; `host` where it is the host's.
  /// - Complexity: O(n) in the events and their bytes.
  public mutating func take(_ buffer: borrowing HostEventBuffer, along base: TimeBase = .host) {
    for event in buffer.events {
      switch event.payload {
      case .message(let message) where message.channel == nil: continue
      case .message, .sysEx:
        received.append(event.moved(to: base.time(at: event.time)), payloads: buffer.payloads.span)
      case .parameter, .fact, .sysExPart: continue
      }
    }
  }

  /// The sequence with what was recorded up to an instant, at which held notes end.
  ///
  /// - Parameters:
  ///   - end: the instant.
  ///   - names: names for the new tracks, by sender.
  ///   - edit: a change made to each new track, such as `quantize`.
  /// - Returns: the sequence, with at least one track.
  /// - Throws: `SequenceError.outOfRange` where a time does not fit a tick; what `edit` throws.
  /// - Complexity: O(n log n) in the events.
  public func sequence(
    until end: ReferenceTime, names: [UInt16: String] = [:],
    edit: (inout MusicTrack) throws -> Void = { _ in }
  ) throws -> MusicSequence {
    var result = sequence
    for part in try parts(until: end) {
      var track = MusicTrack()
      if let name = names[part.sender] {
        try track.insert(.meta(.text(name, type: .trackName)), at: .zero)
      }
      try track.insert(contentsOf: part.events)
      try edit(&track)
      result.tracks.append(track)
    }
    if result.tracks.isEmpty { result.tracks = [MusicTrack()] }
    if result.format == .single, result.tracks.count > 1 { result.format = .simultaneous }
    return result
  }

  private func parts(until end: ReferenceTime) throws -> [RecordedPart] {
    var parts: [RecordedPart.Identity: RecordedPart] = [:]
    for event in received.events where event.time <= end {
      let key = key(of: event)
      let tick = try tick(at: event.time)
      var part = parts.removeValue(forKey: key) ?? RecordedPart(sender: event.track)
      switch event.payload {
      case .message(let message): part.take(message, at: tick, isEarly: isEarly(event.time))
      case .sysEx(let place):
        let bytes = received.payloads[Int(place.offset)...].prefix(Int(place.count))
        part.take(.sysEx(Array(bytes) + [0xF7]), at: tick)
      case .parameter, .fact, .sysExPart: break
      }
      parts[key] = part
    }
    let last = try tick(at: end)
    return parts.keys.sorted().compactMap { key in
      parts[key]?.releaseAll(at: last)
      return parts[key].flatMap { $0.events.isEmpty ? nil : $0 }
    }
  }

  private func key(of event: TimedEvent) -> RecordedPart.Identity {
    let sender = division.contains(.senders) ? event.track : 0
    var key = RecordedPart.Identity(sender: sender, channel: -1)
    guard division.contains(.channels), case .message(let message) = event.payload else {
      return key
    }
    key.channel = message.channel.map { Int($0.index) } ?? -1
    return key
  }

  private func isEarly(_ time: ReferenceTime) -> Bool {
    start.map { time < $0.time } ?? false
  }

  /// The tick nearest to an instant, and never before the start.
  private func tick(at time: ReferenceTime) throws -> Tick {
    let (origin, first) = start ?? (firstTime ?? time, .zero)
    let passed = max(0, time.nanoseconds(since: origin))
    let seconds = try tempoMap.seconds(at: first) + Ratio(passed, over: 1_000_000_000)
    let ticks = try tempoMap.ticks(atSeconds: seconds)
    return Tick(try ticks.rounded(.nearest).value)
  }
}
