// SPDX-License-Identifier: Apache-2.0
import Glibc
import MIDIMessages
import MusicSequences
import MusicalTime
import ScoreNotation
import Testing

/// The songs that come with the package.
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

  @Test(arguments: ["prelude", "chorale", "rag", "groove"])
  func `a song's file is what its score gives, byte for byte`(name: String) throws {
    #expect(try SMFWriter().write(song(name)) == bytes("\(name).mid"))
  }

  @Test(arguments: ["prelude", "chorale", "rag", "groove"])
  func `a song is played, not typed: its velocities vary and its end slows down`(
    name: String
  ) throws {
    let song = try song(name)
    for track in song.tracks where notes(track).count > 20 {
      #expect(Set(notes(track).map(\.note.velocity)).count > 10)
    }
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
}
