// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicSequences
public import MusicalTime

/// Records received events as tracks, which can be added to a sequence that is played during the
/// recording.
///
/// Events are stored with the reference time of playback, and are converted to the nearest ticks
/// only when the tracks are created. Events that were received before the start take effect at the
/// start: a note that is still held begins there, and a note that has ended is left out.
///
/// - Note: Use a recorder from one thread at a time. Not real-time safe.
public struct Recorder: Sendable {
  /// States how received events are distributed to tracks.
  ///
  /// Without an option, all events become one track.
  public struct Division: OptionSet, Hashable, Sendable {
    /// The options as bits: 1 for `senders`, 2 for `channels`.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A separate track for each sender.
    public static let senders = Division(rawValue: 1)
    /// A separate track for each channel.
    public static let channels = Division(rawValue: 2)
  }

  /// The sequence that is played during the recording; if nothing is played, an empty sequence with
  /// a tempo.
  ///
  /// Recorded events are converted to ticks of this sequence.
  public let sequence: MusicSequence
  /// States how received events are distributed to tracks.
  public let division: Division

  private let tempoMap: TempoMap
  private var received = EventBuffer()
  private var start: (time: ReferenceTime, tick: Tick)?

  /// Creates a recorder that has not started.
  ///
  /// - Parameters:
  ///   - sequence: The sequence that is played during the recording.
  ///   - division: The way in which events are distributed to tracks; by default, all events become
  ///     one track.
  /// - Throws: `SequenceError.outOfRange` if the sequence's time does not fit into 64 bits.
  public init(over sequence: MusicSequence, division: Division = []) throws(SequenceError) {
    self.sequence = sequence
    self.division = division
    tempoMap = try sequence.tempoMap
  }

  /// Starts the recording at a tick, which sounds at a time.
  public mutating func start(from tick: Tick = .zero, at time: ReferenceTime) {
    start = (time, tick)
  }

  /// The time at which the recording starts; nil until it is set.
  public var startTime: ReferenceTime? { start?.time }

  /// The number of recorded events.
  public var count: Int { received.events.count }

  /// The time of the first recorded event; nil if nothing was recorded.
  public var firstTime: ReferenceTime? { received.events.first?.time }

  /// Records the events of a buffer.
  ///
  /// System messages other than SysEx are ignored, because files cannot store them.
  ///
  /// - Parameters:
  ///   - buffer: The events.
  ///   - base: The conversion from host time to the reference time of the recording; by default
  ///     `host`, for which both are equal.
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

  /// Returns the sequence with additional tracks for the events that were recorded up to a time.
  ///
  /// Held notes end at that time.
  ///
  /// - Parameters:
  ///   - end: The time at which the recording ends.
  ///   - names: The names of the new tracks, by sender.
  ///   - edit: Changes each new track, for example with `quantize`.
  /// - Returns: The sequence, with at least one track.
  /// - Throws: `SequenceError.outOfRange` if a time does not fit into a tick, and the errors of
  ///   `edit`.
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

  /// The tick nearest to a time, but not before the start.
  private func tick(at time: ReferenceTime) throws -> Tick {
    let (origin, first) = start ?? (firstTime ?? time, .zero)
    let passed = max(0, time.nanoseconds(since: origin))
    let seconds = try tempoMap.seconds(at: first) + Ratio(passed, over: 1_000_000_000)
    let ticks = try tempoMap.ticks(atSeconds: seconds)
    return Tick(try ticks.rounded(.nearest).value)
  }
}
