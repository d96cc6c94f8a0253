// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// Tracks and sequences full of ties, overlaps and odd events, the same for the same seed.
struct RandomScore {
  static let span: Int64 = 2000
  static let seeds = UInt64(0)..<60

  var random: SplitMix

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
  }

  mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &random)
  }

  /// A tick that many events share.
  mutating func tick() -> Int64 {
    number(0...2) == 0 ? number(0...Self.span) : number(0...20) * (Self.span / 20)
  }

  mutating func range() -> Range<Tick> {
    let (first, second) = (tick(), tick())
    return Tick(min(first, second))..<Tick(max(first, second) + number(0...1))
  }

  /// A duration that often ends at other events, and is sometimes 0.
  mutating func duration() -> Int64 {
    switch number(0...9) {
    case 0: 0
    case 1...4: number(1...4) * (Self.span / 20)
    default: number(1...400)
    }
  }

  mutating func note() -> TrackEvent.Content {
    let channel = Channel(index: [0, 3, 9][Int(number(0...2))])
    let release: UInt8? = number(0...3) == 0 ? nil : UInt8(number(0...127))
    return .note(
      Note(
        channel, Key(UInt8(number(30...90))), velocity: UInt8(number(1...127)),
        duration: duration(), releaseVelocity: release))
  }

  mutating func change() -> TrackEvent.Content {
    let channel = UInt8(number(0...1))
    switch number(0...6) {
    case 0: return .message(Message(status: 0xC0 | channel, data1: UInt8(number(0...127))))
    case 1:
      return .message(
        Message(
          status: 0xE0 | channel, data1: UInt8(number(0...127)), data2: UInt8(number(0...127)))
      )
    case 2: return .message(Message(status: 0xD0 | channel, data1: UInt8(number(0...127))))
    default:
      let controller = [1, 7, 10, 64][Int(number(0...3))] as UInt8
      return .message(
        Message(status: 0xB0 | channel, data1: controller, data2: UInt8(number(0...127))))
    }
  }

  mutating func other() -> TrackEvent.Content {
    switch number(0...5) {
    case 0: .sysEx([0x7D, UInt8(number(0...127)), 0xF7])
    case 1: .user([UInt8(number(0...255))])
    case 2: .parameter(ParameterEvent(parameter: UInt32(number(0...1)), value: 0.5))
    case 3: .message(Message(status: 0x80, data1: 60, data2: 64))
    case 4: .meta(.text("la \(number(0...99))", type: .lyric))
    default: .meta(.keySignature(sharps: Int8(number(-7...7)), isMinor: false))
    }
  }

  mutating func events(_ count: Int) -> [TrackEvent] {
    (0..<count).map { _ in
      let content =
        switch number(0...9) {
        case 0...5: note()
        case 6...7: change()
        default: other()
        }
      return TrackEvent(content, at: Tick(tick()))
    }
  }

  mutating func track() throws -> MusicTrack {
    var track = MusicTrack()
    try track.insert(contentsOf: events(Int(number(0...80))))
    if number(0...1) == 0 { track.explicitLength = Tick(number(0...Self.span + 500)) }
    if number(0...2) == 0, track.length > .zero {
      track.settings.loop = .init(length: number(1...track.length.value), count: 3)
    }
    return track
  }

  mutating func notes(_ count: Int) throws -> MusicTrack {
    var track = MusicTrack()
    try track.insert(contentsOf: (0..<count).map { _ in TrackEvent(note(), at: Tick(tick())) })
    return track
  }

  mutating func sequence() throws -> MusicSequence {
    var sequence = MusicSequence()
    for _ in 0..<number(1...4) { sequence.tracks.append(try track()) }
    for _ in 0..<number(0...4) {
      let tempo = try #require(Tempo(microsecondsPerQuarter: Int(number(200_000...900_000))))
      try sequence.insertTempo(tempo, at: Tick(tick()))
    }
    for _ in 0..<number(0...2) {
      let meter = try TimeSignature(numerator: Int(number(2...7)), denominator: 4)
      try sequence.insertTimeSignature(meter, at: Tick(tick()))
    }
    return sequence
  }
}

/// The parts of a track that a listener or an editor can distinguish.
struct Content: Equatable {
  let events: [TrackEvent]
  let explicitLength: Tick?
  let settings: TrackSettings

  init(_ track: MusicTrack) {
    events = Array(track.events)
    explicitLength = track.explicitLength
    settings = track.settings
  }
}

extension MusicTrack {
  var all: [TrackEvent] { Array(events) }
}

extension Array where Element == TrackEvent {
  /// The events in order of tick, those of one tick as they stood.
  var inOrder: [TrackEvent] {
    enumerated().sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }
      .map(\.element)
  }

  func moved(by distance: Int64) -> [TrackEvent] {
    map { TrackEvent($0.content, at: $0.tick.advanced(by: distance)) }
  }

  /// The number of times each event occurs, for comparison without the order at one tick.
  var counted: [TrackEvent: Int] {
    reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}

extension TrackEvent {
  /// The tick at which a note ends; the event's own for everything else.
  var end: Int64 {
    guard case .note(let note) = content else { return tick.value }
    return tick.value + note.duration
  }

  var isNote: Bool {
    guard case .note = content else { return false }
    return true
  }
}
