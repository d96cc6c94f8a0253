// SPDX-License-Identifier: Apache-2.0
import Glibc
import MIDIMessages
import MusicSequences
import MusicalTime
import ScoreNotation
import Testing

/// Tests for the songs in the package's `Songs` folder.
@Suite struct SongTests {
  struct Missing: Error {}

  private func bytes(_ name: String) throws -> [UInt8] {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    guard let file = unsafe fopen("/\(root)/Songs/\(name)", "rb") else { throw Missing() }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  private func song(_ name: String) throws -> MusicSequence {
    try ScoreReader().read(String(decoding: try bytes("\(name).score"), as: UTF8.self))
  }

  private func notes(_ track: MusicTrack) -> [(tick: Int64, note: Note)] {
    track.events.compactMap { event in
      guard case .note(let note) = event.content else { return nil }
      return (event.tick.value, note)
    }
  }

  private func patterns(_ name: String) throws -> [MusicSequence] {
    try ScoreReader().readPatterns(String(decoding: try bytes("\(name).score"), as: UTF8.self))
  }

  private static let slowing = [
    "prelude", "chorale", "rag", "groove", "canon", "minuet", "daisy", "crossing", "greensleeves",
  ]
  private static let all = slowing + ["hall", "leader", "patterns", "loop"]

  @Test(arguments: all)
  func `a song's file is what its score gives, byte for byte, and loses nothing`(
    name: String
  ) throws {
    let file = SequenceFile(try patterns(name))
    #expect(try SMFWriter().write(file) == bytes("\(name).mid"))
    #expect(try SMFWriter().losses(of: file).isEmpty)
  }

  @Test(arguments: all)
  func `a song is played, not typed: its velocities vary`(name: String) throws {
    for track in try patterns(name).flatMap(\.tracks) where notes(track).count > 40 {
      #expect(Set(notes(track).map(\.note.velocity)).count > 8)
    }
  }

  @Test(arguments: slowing)
  func `a song's end slows down`(name: String) throws {
    let song = try song(name)
    let tempi = song.tempoChanges
    let slowest = tempi.map(\.tempo.tenNanosecondsPerQuarter).max()
    #expect(
      tempi.last.map { Double($0.tempo.tenNanosecondsPerQuarter) }
        ?? 0 >= 0.9 * Double(slowest ?? 1))
  }

  @Test func `the prelude has thirty-five bars and the notes Bach wrote in them`() throws {
    let song = try song("prelude")
    let played = notes(song.tracks[1])
    #expect(song.length == Tick(35 * 4 * 480))
    #expect(played.count == 32 * 16 + 16 * 2 + 5)
    // Bars 1, 12, 23: what sounds in each half, from the bass up.
    for (bar, keys) in [
      (1, [60, 64, 67, 72, 76]), (12, [55, 58, 64, 67, 73]), (23, [44, 53, 59, 60, 62]),
    ] {
      let start = Int64(bar - 1) * 1920
      let inside = played.filter { (start - 20..<start + 900).contains($0.tick) }
      #expect(Set(inside.map { Int($0.note.key.number) }).sorted() == keys)
    }
  }

  @Test func `the chorale's four voices keep together and in their ranges`() throws {
    let song = try song("chorale")
    let voices = song.tracks.dropFirst().map(notes)
    #expect(voices.count == 4)
    for (voice, range) in zip(voices, [60...77, 55...72, 48...67, 41...62]) {
      #expect(voice.allSatisfy { range.contains(Int($0.note.key.number)) })
      let end = voice.map { $0.tick + $0.note.duration }.max() ?? 0
      #expect(song.length.value - end < 60)
    }
  }

  @Test func `the canon's violins play one line, two bars apart, and slow down for eight bars`()
    throws
  {
    let song = try song("canon")
    let violins = song.tracks[3...5].map { notes($0).map { Int($0.note.key.number) } }
    #expect(violins.allSatisfy { $0.count > 200 })
    for violin in violins.dropFirst() { #expect(violin.prefix(180) == violins[0].prefix(180)) }
    let starts = song.tracks[3...5].map { (notes($0)[0].tick + 100) / 1920 }
    #expect(starts == [2, 4, 6])
    let tempi = song.tempoChanges.filter { $0.tick > Tick(22 * 1920) }
    #expect(tempi.count >= 256)
    for (slower, next) in zip(tempi, tempi.dropFirst().dropLast()) {
      #expect(
        slower.tempo.tenNanosecondsPerQuarter <= next.tempo.tenNanosecondsPerQuarter)
    }
  }

  @Test func `the songs hold what they are there for`() throws {
    let meters = try song("crossing").timeSignatures.map { "\($0.signature)" }
    #expect(meters.count > 10)
    #expect(Set(meters) == ["7/8", "3/4", "5/8"])
    let channels = try song("hall").tracks.flatMap(notes).map(\.note.channel.index)
    #expect(Set(channels).count == 16)
    let words = try song("daisy").tracks.flatMap { Array($0.events) }.filter { event in
      guard case .meta(let meta) = event.content else { return false }
      return meta.textType == .lyric
    }
    #expect(words.count == 2 * 51)
    #expect(try song("leader").division == .smpte(.fps25, ticksPerFrame: 40))
    #expect(try song("minuet").format == .single)
    let tempi = try patterns("patterns").map { $0.tempoChanges[0].tempo.microsecondsPerQuarter }
    #expect(Set(tempi).count >= 3)
  }

  @Test func `a track of Greensleeves moves a panner, and other programs see only metas`() throws {
    let file = try SMFReader(strict: true).read(bytes("greensleeves.mid"))
    let track = try #require(file.sequences[0].tracks.last)
    #expect(track.settings.isAutomation)
    #expect(track.settings.destination == "panner")
    let places = track.events.compactMap { event -> Float? in
      guard case .parameter(let parameter) = event.content else { return nil }
      return parameter.value
    }
    #expect(places == [-0.6, -0.6, 0.6, -0.6, 0.6, -0.6, 0.6, -0.6, 0])
    let metas = FileEventsOfLastTrack(try FileEvents(file))
    #expect(metas.types == [0x7F, 0x03] + [UInt8](repeating: 0x7F, count: 9) + [0x2F])
  }

  @Test func `the loop's markers, its controller 111 and its end agree`() throws {
    let song = try song("loop")
    let markers = song.tracks[0].events.compactMap { event -> (String, Tick)? in
      guard case .meta(let meta) = event.content, meta.textType == .marker else { return nil }
      return (String(decoding: meta.bytes, as: UTF8.self), event.tick)
    }
    #expect(markers.map(\.0) == ["loopStart", "loopEnd"])
    #expect(markers.map(\.1) == [Tick(4 * 1920), song.length])
    let starts = song.tracks.flatMap { Array($0.events) }.filter { event in
      guard case .message(let message) = event.content else { return false }
      return message.status & 0xF0 == 0xB0 && message.data1 == 111
    }
    #expect(starts.map(\.tick) == [Tick(4 * 1920)])
  }
}

/// The types of the last track's events, all of them metas.
private struct FileEventsOfLastTrack {
  let types: [UInt8]

  init(_ events: FileEvents) {
    let last = Int32(events.tracks.count - 1)
    types = events.filter { $0.track == last }.compactMap(\.metaType)
  }
}
