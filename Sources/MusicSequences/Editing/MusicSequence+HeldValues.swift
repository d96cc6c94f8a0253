// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
public import MusicalTime

extension MusicSequence {
  /// Sets the tempo of a range, and restores the previous tempo after it.
  ///
  /// - Throws: `SequenceError` if an event does not fit; the sequence is then unchanged.
  /// - Complexity: O(n) in the events of the tempo track.
  public mutating func setTempo(_ tempo: Tempo, in range: Range<Tick>) throws(SequenceError) {
    var tracks = [tempoTrack]
    let range = range.clamped(to: .zero..<max(length, range.lowerBound.advanced(by: 1)))
    try Self.hold(.tempo(tempo), Channel(index: 0), in: &tracks, over: range, end: length)
    tempoTrack = tracks[0]
  }

  /// Sets a program or volume for channels over a range, and restores the previous value after it.
  ///
  /// The value is set on every port on which the channels play.
  ///
  /// - Parameters:
  ///   - value: The program, volume or change of volume.
  ///   - channels: Bit n selects channel index n. Channels without events in the tracks are
  ///     skipped.
  ///   - range: The ticks, half open. If it ends after the sequence, nothing is restored.
  ///   - scope: The tracks to edit.
  /// - Throws: `SequenceError` if a track does not exist or the value is out of range; the sequence
  ///   is then unchanged.
  /// - Complexity: O(n) in the events, for each channel.
  public mutating func set(
    _ value: HeldValue, channels: UInt16, over range: Range<Tick>, in scope: EditScope = .music
  ) throws(SequenceError) {
    let indices = try indices(in: scope)
    let ports = TrackPorts(self)
    var copy = self
    // Tracks with several ports are split into parts with one port each.
    let divided = indices.filter { ports.ports(of: $0).count > 1 }
    var parts: [Int: PortParts] = [:]
    for index in divided { parts[index] = try PortParts(index, of: self, ports) }
    for port in Set(indices.flatMap { ports.ports(of: $0) }).sorted() {
      let whole = indices.filter { parts[$0] == nil && ports.port(of: $0, at: 0) == port }
      var chosen = whole.map { tracks[$0] }
      for index in divided {
        chosen += parts[index]?.parts.filter { $0.port == port }.map(\.track) ?? []
      }
      for index in UInt8(0)..<16 where channels & (1 << index) != 0 {
        try Self.hold(value, Channel(index: index), in: &chosen, over: range, end: length)
      }
      for (track, index) in zip(chosen, whole) { copy.tracks[index] = track }
      var rest = chosen.dropFirst(whole.count)
      for index in divided {
        guard let place = parts[index]?.parts.firstIndex(where: { $0.port == port }),
          let track = rest.popFirst()
        else { continue }
        parts[index]?.parts[place].track = track
      }
    }
    for (index, parts) in parts { copy.tracks[index].takeEvents(of: try parts.joined()) }
    self = copy
  }

  /// True if one of the tracks has events on one of the channels.
  ///
  /// A track that does not exist also counts, because that is a different error.
  ///
  /// - Parameters:
  ///   - channels: Bit n selects channel index n.
  ///   - indices: The tracks; nil for all.
  /// - Returns: False if none of the tracks has such an event.
  package func plays(onAnyOf channels: UInt16, inTracks indices: [Int]?) -> Bool {
    (indices ?? Array(tracks.indices)).contains { index in
      guard tracks.indices.contains(index) else { return true }
      return (UInt8(0)..<16).contains { channel in
        channels & (1 << channel) != 0 && tracks[index].plays(on: Channel(index: channel))
      }
    }
  }

  private static func hold(
    _ value: HeldValue, _ channel: Channel, in tracks: inout [MusicTrack],
    over range: Range<Tick>, end: Tick
  ) throws(SequenceError) {
    let isTempo = if case .tempo = value { true } else { false }
    guard let home = isTempo ? 0 : tracks.firstIndex(where: { $0.plays(on: channel) }) else {
      return
    }
    let isChange = if case .volumeChange = value { true } else { false }
    var last: (tick: Tick, value: HeldValue)?
    // The value in force as the range begins.
    var first: (tick: Tick, value: HeldValue)?
    var (isSetAtStart, isSetAtEnd) = (false, false)
    for index in tracks.indices {
      var kept: [TrackEvent] = []
      var isChanged = false
      for event in tracks[index].events {
        guard event.tick <= range.upperBound,
          let old = value.value(of: event, on: channel)
        else {
          kept.append(event)
          continue
        }
        if event.tick == range.upperBound { isSetAtEnd = true }
        if event.tick < range.upperBound, last.map({ $0.tick <= event.tick }) ?? true {
          last = (event.tick, old)
        }
        if event.tick < range.lowerBound, first.map({ $0.tick <= event.tick }) ?? true {
          first = (event.tick, old)
        }
        if !range.contains(event.tick) {
          kept.append(event)
        } else if isChange {
          let new = try value.value(replacing: old, at: event.tick)
          kept.append(new.content(on: channel).map { TrackEvent($0, at: event.tick) } ?? event)
          if event.tick == range.lowerBound { isSetAtStart = true }
          isChanged = true
        }
      }
      if isChanged || kept.count < tracks[index].count {
        try tracks[index].replaceEvents(with: kept)
      }
    }
    if range.upperBound < end, !isSetAtEnd {
      try tracks[home].set(last?.value ?? value.initial, on: channel, at: range.upperBound)
    }
    guard !isSetAtStart else { return }
    let old = first?.value ?? value.initial
    try tracks[home].set(
      try value.value(replacing: old, at: range.lowerBound), on: channel, at: range.lowerBound)
  }
}

extension MusicTrack {
  fileprivate func plays(on channel: Channel) -> Bool {
    events.contains { event in
      switch event.content {
      case .note(let note): note.channel == channel
      case .message(let message): message.channel == channel
      default: false
      }
    }
  }

  fileprivate mutating func replaceEvents(with kept: [TrackEvent]) throws(SequenceError) {
    var track = MusicTrack()
    track.settings = settings
    try track.insert(contentsOf: kept)
    track.explicitLength = explicitLength
    self = track
  }

  /// Sets a value after the setup events of its tick (a bank is chosen before its program), and
  /// before the first note there.
  fileprivate mutating func set(_ value: HeldValue, on channel: Channel, at tick: Tick)
    throws(SequenceError)
  {
    guard let content = value.content(on: channel) else { return }
    let start = firstIndex(atOrAfter: tick)
    let notes = events[start...].prefix { $0.tick == tick }.drop { event in
      if case .note = event.content { false } else { true }
    }
    var all = Array(events)
    all.insert(TrackEvent(content, at: tick), at: notes.startIndex)
    try replaceEvents(with: all)
  }
}
