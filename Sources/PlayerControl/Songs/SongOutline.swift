// SPDX-License-Identifier: Apache-2.0
package import Downbeat
internal import JSONText
package import MIDIMessages
package import MusicSequences
package import MusicalTime

/// The information about a song that is shown while it plays, as a value.
package struct SongOutline {
  /// If a position is further into a bar than this, a move back goes to the start of that bar; in
  /// seconds.
  private static let barPatience = 0.5

  /// The song's title, its title in the playlist, or the name of its file without folder and
  /// suffix.
  package let title: String
  /// The title, followed by the name of the file.
  package let heading: String
  package let context: TimeContext
  /// Decodes the song's texts.
  package let decoder: TextDecoder
  /// The tick at which the longest track ends.
  package let length: Tick
  /// The time in seconds at which the song is over, including silence at its end.
  package let seconds: Double
  /// The markers, in order.
  package let markers: [(tick: Tick, name: String)]
  package let channels: [ChannelActivity]
  /// The lines of its words; empty for none.
  package let words: [LyricSheet.Line]
  /// A fact about the song's file: its name and its value.
  package struct Fact: Equatable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// Facts about the song's file.
  package let facts: [Fact]
  private let keys: [(tick: Tick, key: KeySignature)]

  /// Reads a song.
  ///
  /// - Parameters:
  ///   - sequence: The song.
  ///   - name: The name of its file.
  ///   - listed: The title in its playlist; empty for none.
  ///   - end: The tick at which the song is over; nil for its length.
  ///   - decoder: Decodes the texts; nil to guess from the song.
  ///   - texts: The texts of its RIFF wrapper, whose title replaces the song's own.
  ///   - bankMode: The bank mode, which determines the drum channels.
  /// - Throws: `SequenceError` if its times do not fit.
  /// - Complexity: O(n log n) in its events.
  package init(
    _ sequence: MusicSequence, named name: String, titled listed: String = "", end: Tick? = nil,
    decoder: TextDecoder? = nil, texts: WrapperTexts? = nil, bankMode: BankMode = .auto
  ) throws {
    let decoder = decoder ?? TextDecoder(guessingFrom: [sequence])
    self.decoder = decoder
    context = try sequence.timeContext(findingMarkers: false)
    length = sequence.length
    seconds = context.tempoMap.seconds(at: end ?? length).approximation
    channels = ChannelActivity.channels(of: sequence, in: bankMode)
    var markers: [(tick: Tick, name: String)] = []
    var keys: [(tick: Tick, key: KeySignature)] = []
    var title: String?
    for (index, track) in sequence.tracks.enumerated() {
      for event in track.events {
        guard case .meta(let meta) = event.content else { continue }
        if meta.textType == .marker {
          markers.append((event.tick, Printable.dotted(decoder.text(meta.bytes))))
        } else if meta.textType == .trackName, index == 0, title == nil {
          title = decoder.text(meta.bytes)
        } else if meta.type == 0x59, let key = KeySignature(meta.bytes) {
          keys.append((event.tick, key))
        }
      }
    }
    self.markers = markers.sorted { $0.tick < $1.tick }
    self.keys = keys.sorted { $0.tick < $1.tick }
    let name = Printable.text(name)
    title = texts?[.title] ?? title
    let isTitled = title?.contains { !$0.isWhitespace } == true
    let shown = Printable.dotted(isTitled ? title ?? "" : listed)
    self.title = shown.isEmpty ? SongEntry(path: name).titleOfFile : shown
    heading = shown.isEmpty ? name : "\(shown)  (\(name))"
    facts =
      try Self.facts(of: sequence, named: name, markers.count, decoder) + Self.facts(of: texts)
    words = try LyricSheet(of: SequenceFile([sequence]), track: nil, decoder).lines
  }

  private static func facts(
    of sequence: MusicSequence, named name: String, _ markerCount: Int,
    _ decoder: TextDecoder
  ) throws(SequenceError) -> [Fact] {
    // Counted in the same way as by `downbeat info`.
    let summary = try SequenceSummary([sequence])
    let texts = sequence.tracks.lazy.flatMap(\.events).compactMap { event -> String? in
      guard case .meta(let meta) = event.content, meta.textType == .copyright else { return nil }
      return Printable.dotted(decoder.text(meta.bytes))
    }
    return [
      .init("file", name), .init("tracks", "\(sequence.tracks.count)"),
      .init("notes", "\(summary.noteOns)"), .init("events", "\(summary.events)"),
      .init("division", sequence.division.words),
      .init("tempo changes", "\(sequence.tempoChanges.count)"),
      .init("markers", "\(markerCount)"),
    ] + texts.prefix(3).map { .init("copyright", $0) }
  }

  private static func facts(of texts: WrapperTexts?) -> [Fact] {
    let fields: [SongWrapper.Field] = [.artist, .album, .genre, .date, .copyright, .comment]
    return fields.compactMap { field in
      texts?[field].map { Fact(field.rawValue, Printable.dotted($0)) }
    }
  }

  /// The time of a tick in seconds.
  package func seconds(at tick: Tick) -> Double {
    context.tempoMap.seconds(at: tick).approximation
  }

  /// The position of a tick as a fraction of the song, 0…1.
  package func part(at tick: Tick) -> Double {
    seconds > 0 ? min(max(seconds(at: tick) / seconds, 0), 1) : 0
  }

  /// The tick of a time in seconds, limited to the song.
  package func tick(atSeconds seconds: Double) throws -> Tick {
    let milliseconds = Int64(min(max(seconds, 0), self.seconds) * 1000)
    let tick = try context.firstTick(of: .seconds(Ratio(milliseconds, over: 1000)))
    return min(max(tick, .zero), length)
  }

  /// The position as bar, beat and 1/480 of a beat: `33.2.120`; empty if the division of the song
  /// is frames.
  package func barBeat(at tick: Tick) throws -> String {
    guard case .ppqn = context.tempoMap.division else { return "" }
    let label = try label(at: tick)
    let zeros = String(repeating: "0", count: max(0, 3 - "\(label.subbeat)".count))
    return "\(label.bar).\(label.beat).\(zeros)\(label.subbeat)"
  }

  private func label(at tick: Tick) throws -> BarBeat {
    let quarters = try context.quarters(of: .ticks(Ratio(tick.value)))
    return try context.meterMap.barBeat(at: quarters, divisor: 480, rounding: .floor).value
  }

  /// The beginning of a bar a number of bars away, limited to the song; a move back first goes to
  /// the beginning of the current bar.
  package func tick(bars: Int, from tick: Tick) throws -> Tick {
    var bar = Int(try label(at: tick).bar)
    let start = try self.tick(ofBar: bar)
    let isInside = seconds(at: tick) - seconds(at: start) > Self.barPatience
    bar += bars < 0 && isInside ? bars + 1 : bars
    return min(max(try self.tick(ofBar: bar), .zero), length)
  }

  private func tick(ofBar bar: Int) throws -> Tick {
    let label = BarBeat(bar: Int32(clamping: bar), beat: 1, divisor: 1)
    return try context.firstTick(of: .quarters(context.meterMap.quarters(at: label)))
  }

  /// The first marker after a tick; nil for none.
  package func marker(after tick: Tick) -> (tick: Tick, name: String)? {
    markers.first { $0.tick > tick }
  }

  /// The last marker more than half a second before a tick; nil for none.
  package func marker(before tick: Tick) -> (tick: Tick, name: String)? {
    let now = seconds(at: tick)
    return markers.last { seconds(at: $0.tick) < now - Self.barPatience }
  }

  package func key(at tick: Tick) -> KeySignature? {
    keys.last { $0.tick <= tick }?.key
  }

  package func meter(at tick: Tick) throws -> TimeSignature {
    try context.meterMap.signature(at: context.quarters(of: .ticks(Ratio(tick.value))))
  }
}

extension Int64 {
  /// The seconds as minutes and seconds, with hours if necessary: `1:23`, `1:02:03`.
  package var clockText: String {
    let (hours, minutes, rest) = (self / 3600, self / 60 % 60, self % 60)
    let tail = "\(minutes < 10 && hours > 0 ? "0" : "")\(minutes):\(rest < 10 ? "0" : "")\(rest)"
    return hours > 0 ? "\(hours):\(tail)" : tail
  }
}

extension Double {
  /// A length in seconds as `clockText`, with tenths below ten seconds: `0:02.9`, `0:03`, `2:51`.
  ///
  /// Only tenths are rounded, so a position shows the same seconds at the end of a song.
  package var lengthText: String {
    let seconds = self < 1e15 ? Swift.max(self, 0) : 0
    let tenths = Int64((seconds * 10).rounded())
    if tenths >= 100 { return Swift.max(10, Int64(seconds)).clockText }
    let whole = (tenths / 10).clockText
    return tenths % 10 == 0 ? whole : "\(whole).\(tenths % 10)"
  }
}
