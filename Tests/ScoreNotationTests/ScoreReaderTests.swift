// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import ScoreNotation
import Testing

@Suite struct ScoreReaderTests {
  /// The notes of a score's only part, as `start key velocity length`.
  private func notes(_ text: String) throws -> [String] {
    let sequence = try ScoreReader().read(text)
    return sequence.tracks.dropFirst().flatMap { track in
      track.events.compactMap { event in
        guard case .note(let note) = event.content else { return nil }
        return "\(event.tick.value) \(note.key.number) \(note.velocity) \(note.duration)"
      }
    }
  }

  private func keys(_ text: String) throws -> [Int] {
    try notes(text).compactMap { Int($0.split(separator: " ")[1]) }
  }

  @Test func `a note takes length and octave of the one before`() throws {
    #expect(
      try notes("p: @gate 100 c4/8 d e5 c/4.")
        == ["0 60 80 240", "240 62 80 240", "480 76 80 240", "720 72 80 720"])
  }

  @Test func `sharps and flats go before the octave`() throws {
    #expect(try keys("p: c#4 db4 bb3 b3 f##4 ebb4 c-1 g9") == [61, 61, 58, 59, 67, 62, 0, 127])
  }

  @Test func `lengths are parts of a whole note, with dots, thirds, multiples and sums`() throws {
    let text = "p: @gate 100 c4/8. c/12 c/1*2 c/4~/16 c/2.."
    #expect(
      try notes(text).map { $0.split(separator: " ")[3] } == ["360", "160", "3840", "600", "1680"])
  }

  @Test func `a tilde holds the chord before it`() throws {
    #expect(
      try notes("p: @gate 100 [c4 e]/4 ~/8 r/8 c") == [
        "0 60 80 720", "0 64 80 720", "960 60 80 240",
      ])
  }

  @Test func `marks shorten, hold, accent and set a velocity`() throws {
    #expect(
      try notes("p: @gate 90 c4/4 c' c_ c> c!33 c/8'>")
        == [
          "0 60 80 432", "480 60 80 216", "960 60 80 480", "1440 60 96 432", "1920 60 33 432",
          "2400 60 96 108",
        ])
  }

  @Test func `a velocity moves over a length`() throws {
    #expect(
      try notes("p: v40 v80/1 c4/4*1 c c c c").map { $0.split(separator: " ")[2] }
        == ["40", "50", "60", "70", "80"])
  }

  @Test func `branches begin together and the longest decides`() throws {
    #expect(
      try notes("p: @gate 100 { c4/2 & e4/4 f g } a4") == [
        "0 60 80 960", "0 64 80 480", "480 65 80 480", "960 67 80 480", "1440 69 80 480",
      ])
  }

  @Test func `groups and phrases repeat`() throws {
    #expect(
      try keys("def riff a b = $a/8 $b\np: $riff(c4 e)*2 (g a)*2") == [
        60, 64, 60, 64, 67, 69, 67, 69,
      ])
  }

  @Test func `a drum loop fits one line`() throws {
    let sequence = try ScoreReader().read("drums: kick x--- snare --X- hat xo *2")
    let notes = sequence.tracks[1].events.compactMap { event -> String? in
      guard case .note(let note) = event.content else { return nil }
      return "\(event.tick.value) \(note.channel) \(note.key.number) \(note.velocity)"
    }
    #expect(notes.count == 12)
    #expect(notes.prefix(3) == ["0 10 36 80", "0 10 42 80", "120 10 42 44"])
    #expect(notes.contains("240 10 38 104"))
    #expect(sequence.length == Tick(960))
  }

  @Test func `swing moves the second of two, and what ends there`() throws {
    #expect(
      try notes("p: @gate 100 @swing 60 c4/8 d e f/16 g") == [
        "0 60 80 288", "288 62 80 192", "480 64 80 288", "768 65 80 96", "864 67 80 96",
      ])
  }

  @Test func `deviations are the same every time and stay in range`() throws {
    let text = "p: @human 9 5 (c4/8 d e f)*50"
    #expect(try notes(text) == notes(text))
    for (index, note) in try notes(text).enumerated() {
      let fields = note.split(separator: " ").compactMap { Int($0) }
      #expect(abs(fields[0] - index * 240) <= 5)
      #expect((71...89).contains(fields[2]))
    }
    #expect(try Set(notes(text).map { $0.split(separator: " ")[2] }).count > 6)
  }

  @Test func `a key that is struck again is let go first`() throws {
    #expect(try notes("p: @gate 100 { c4/1 & r/4 c4/4 }") == ["0 60 80 480", "480 60 80 480"])
  }

  @Test func `controllers, programs and bends become messages, ramps many`() throws {
    let sequence = try ScoreReader().read("p: @program 25 @volume 0 @volume 64/4 @bend 1 c4")
    let messages = sequence.tracks[1].events.compactMap { event -> Message? in
      guard case .message(let message) = event.content else { return nil }
      return message
    }
    let channel = Channel(index: 0)
    #expect(messages.contains(.program(channel, 24)))
    #expect(messages.contains(.bend(channel, 12288)))
    let volumes = messages.filter { $0.status == 0xB0 }.map(\.data2)
    #expect(volumes.first == 0)
    #expect(volumes.last == 64)
    #expect(volumes == volumes.sorted())
    #expect(volumes.count > 10)
  }

  @Test func `a ritardando slows down and arrives`() throws {
    let sequence = try ScoreReader().read("tempo 100; p: c4/1 @tempo 50/1 c c")
    let tempi = sequence.tempoChanges
    #expect(tempi.first?.tempo == Tempo(microsecondsPerQuarter: 600_000))
    #expect(tempi.last?.tick == Tick(3840))
    #expect(tempi.last?.tempo == Tempo(microsecondsPerQuarter: 1_200_000))
    let lengths = tempi.map(\.tempo.tenNanosecondsPerQuarter)
    #expect(lengths == lengths.sorted())
    #expect(tempi.count == 34)
  }

  @Test func `meters, keys, titles and markers are written`() throws {
    let sequence = try ScoreReader().read(
      "title \"T\"; meter 3/4; key F# minor\np: c4/2. | @meter 7/8 @marker \"B\" c/2.. | c/2.. |")
    #expect(sequence.timeSignatures.map { $0.signature.description } == ["3/4", "7/8"])
    #expect(sequence.tracks[0].firstText(.trackName) == Array("T".utf8))
    #expect(sequence.tracks[0].firstText(.marker) == Array("B".utf8))
    #expect(
      sequence.tracks[0].events.contains {
        $0.content == .meta(.keySignature(sharps: 3, isMinor: true))
      })
  }

  @Test func `parts take the free channels in turn, drums the tenth`() throws {
    let sequence = try ScoreReader().read(
      "a: c4; drums: kick x; b: c4; a: d4; c: @channel 7 c4")
    #expect(sequence.tracks.count == 5)
    let channels = sequence.tracks.dropFirst().map { track in
      track.events.compactMap { event -> Int? in
        guard case .note(let note) = event.content else { return nil }
        return note.channel.number
      }
    }
    #expect(channels == [[1, 1], [10], [2], [7]])
  }

  @Test func `what is written is read back the same`() throws {
    let text = "tempo 90; p: @program 3 (c4/8 [e g]/4 r/8)*3; drums: kick x-x- snare --x-"
    let sequence = try ScoreReader().read(text)
    let bytes = try SMFWriter().write(sequence)
    let file = try SMFReader(strict: true).read(bytes)
    #expect(file.sequences.count == 1)
    for (one, other) in zip(sequence.tracks, file.sequences[0].tracks) {
      #expect(Array(one.events) == Array(other.events))
    }
    #expect(sequence.length == file.sequences[0].length)
  }

  @Test func `ticks of a frame are counted by the tempo before them`() throws {
    let sequence = try ScoreReader().read("tempo 100; smpte 25 40; p: @gate 100 c4/4 d/8 e/8")
    #expect(sequence.division == .smpte(.fps25, ticksPerFrame: 40))
    #expect(
      try notes("tempo 100; smpte 25 40; p: @gate 100 c4/4 d/8 e/8").map { $0.prefix(3) } == [
        "0 6", "600", "900",
      ])
    // 1000 ticks per second, regardless of the tempo event.
    #expect(try sequence.tempoMap.seconds(at: 1200) == Ratio(6, over: 5))
  }

  @Test func `format 0 holds all parts in one track`() throws {
    let sequence = try ScoreReader().read("title \"t\"; format 0; p: c4; q: e4; drums: kick x")
    #expect(sequence.format == .single)
    #expect(sequence.tracks.count == 1)
    let channels = sequence.tracks[0].events.compactMap { event -> UInt8? in
      guard case .note(let note) = event.content else { return nil }
      return note.channel.index
    }
    #expect(channels.sorted() == [0, 1, 9])
  }

  @Test func `patterns of format 2 have their own tempi, meters and parts`() throws {
    let patterns = try ScoreReader().readPatterns(
      """
      title "file"; format 2; tempo 90
      def riff = c4/4 d e
      pattern "one"
      p: $riff f |
      pattern "two"
      tempo 60; meter 3/4
      p: $riff |
      q: g4/2.
      """)
    #expect(patterns.map(\.format) == [.pattern, .pattern])
    #expect(patterns.map(\.tracks.count) == [1, 1])
    #expect(
      patterns.map { $0.tempoChanges.map(\.tempo.microsecondsPerQuarter) } == [
        [666_667], [1_000_000],
      ])
    #expect(patterns.map(\.timeSignatures.count) == [0, 1])
    #expect(patterns.map(\.length) == [1920, 1440])
    let file = SequenceFile(patterns)
    #expect(try SMFWriter().losses(of: file).isEmpty)
    let read = try SMFReader(strict: true).read(try SMFWriter().write(file))
    #expect(read.declaredFormat == 2)
    #expect(read.sequences.map(\.length) == patterns.map(\.length))
  }

  @Test func `a syllable goes to each note, and none to rests and held notes`() throws {
    let sequence = try ScoreReader().read(
      "p: @sing \"Dai-sy, _ give/me\" c4/4 ~/4 r/4 [d e]/4 f g a b")
    let words = sequence.tracks[1].events.compactMap { event -> String? in
      guard case .meta(let meta) = event.content, meta.textType == .lyric else { return nil }
      return "\(event.tick.value) " + String(decoding: meta.bytes, as: UTF8.self)
    }
    #expect(words == ["0 Dai", "1440 sy, ", "2400 give\r", "2880 me "])
  }

  @Test func `a part that only moves parameters is automation`() throws {
    let sequence = try ScoreReader().read(
      "p: c4/1; a: @unit \"panner\" @parameter 3 -0.5 @parameter 3 0.25/2 r/1")
    let track = sequence.tracks[2]
    #expect(track.settings.isAutomation)
    #expect(track.settings.destination == "panner")
    #expect(!sequence.tracks[1].settings.isAutomation)
    #expect(
      track.events.dropFirst().map(\.content) == [
        .parameter(ParameterEvent(parameter: 3, value: -0.5)),
        .parameter(ParameterEvent(parameter: 3, value: 0.25, isRamp: true)),
      ])
    #expect(track.events.last?.tick == 960)
  }

  @Test func `a ramp of a parameter begins at its place in the part`() throws {
    let sequence = try ScoreReader().read("a: @parameter 3 -0.5 r/1 @parameter 3 0.25/2 r/1")
    let track = sequence.tracks[1]
    #expect(track.settings.isAutomation)
    #expect(track.events.suffix(2).map(\.tick.value) == [1920, 2880])
    #expect(
      track.events.suffix(2).map(\.content) == [
        .parameter(ParameterEvent(parameter: 3, value: -0.5, isRamp: true)),
        .parameter(ParameterEvent(parameter: 3, value: 0.25, isRamp: true)),
      ])
  }

  @Test func `a part with parameter steps is not automation`() throws {
    let sequence = try ScoreReader().read("a: @parameter 3 -0.5 r/1 @parameter 3 0.25 r/1")
    #expect(!sequence.tracks[1].settings.isAutomation)
  }
}
