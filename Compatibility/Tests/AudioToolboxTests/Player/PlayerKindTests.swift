// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import CoreMIDI
import Foundation
import TestSupport
import Testing

/// Plays the songs of the table through a player to a destination in this process.
///
/// A player differs in three ways: it sends 8n for every note-off, it plays on after the end of a
/// song, and its stop raises pedals and ends notes. At 32 times the speed, a song fits into the 100
/// ms that a player sends in advance, so that nothing is lost on a busy machine.
@Suite struct PlayerKindTests {
  private static let rate = 32

  /// The songs that a player can play: it neither transposes nor reads a file's loops.
  private static let songs = SongKind.all.filter {
    switch $0.way {
    case .whole, .twice, .from: true
    case .fileLoop, .transposed, .withoutDrums: false
    }
  }

  /// A message with its time in nanoseconds.
  private struct Arrival {
    var time: UInt64
    var bytes: ArraySlice<UInt8>
    /// True if this is the note that ends a pass.
    var isEnd: Bool { bytes.starts(with: [0x9F, 127]) }
    /// True if this is the last message of a stop.
    var isStop: Bool { bytes.elementsEqual([0xBF, 120, 0]) }
  }

  private static func arrivals(_ studio: MIDIStudio) -> [Arrival] {
    studio.arrived.all.flatMap { packet in
      var rest = packet.bytes[...]
      var arrivals: [Arrival] = []
      while let status = rest.first {
        let count =
          switch status & 0xF0 {
          case 0xF0: rest.count
          case 0xC0, 0xD0: 2
          default: 3
          }
        arrivals.append(Arrival(time: packet.time, bytes: rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      return arrivals
    }
  }

  /// The messages of a pass in the form of the table, the first at a number of milliseconds.
  private static func list(_ pass: some Collection<Arrival>, from milliseconds: Int) -> [String] {
    pass.map { arrival in
      let first = pass.first?.time ?? 0
      let distance = Int(Int64(bitPattern: arrival.time &- first)) * rate
      return SongKind.line(milliseconds + (distance + 500_000) / 1_000_000, arrival.bytes)
    }
  }

  @Test(arguments: songs)
  func `an endpoint receives the messages of the table`(song: SongKind) async throws {
    let sequence = TestSequence()
    let data = Data(song.file) as CFData
    #expect(MusicSequenceFileLoadData(sequence.handle, data, .anyType, []) == 0)
    addNote(sequence.addTrack(), 127, at: 4.5, duration: 0.01, channel: 15)
    let studio = MIDIStudio("kinds")
    var player: MusicPlayer?
    NewMusicPlayer(&player)
    defer { DisposeMusicPlayer(player) }
    MusicSequenceSetMIDIEndpoint(sequence.handle, studio.destination)
    MusicPlayerSetSequence(player, sequence.handle)
    MusicPlayerSetPlayRateScalar(player, Double(Self.rate))
    if case .from(let tick) = song.way { MusicPlayerSetTime(player, Double(tick) / 480) }
    let passCount = song.way == .twice ? 2 : 1
    for pass in 1...passCount {
      #expect(pass == 1 ? MusicPlayerStart(player) == 0 : MusicPlayerSetTime(player, 0) == 0)
      await wait { Self.arrivals(studio).count(where: \.isEnd) == pass }
    }
    MusicPlayerStop(player)
    let arrivals = Self.arrivals(studio)
    var rest = expected(song)[...]
    for pass in passes(arrivals, of: song).prefix(passCount) {
      let first = try #require(rest.first?.split(separator: " ").first)
      let sent = Self.list(pass, from: try #require(Int(first)))
      let expected = Array(rest.prefix(sent.count))
      #expect(sent == expected)
      rest = rest.dropFirst(sent.count)
    }
    #expect(rest.isEmpty)
    if isLeftDown(song) { #expect(arrivals.contains { $0.bytes.elementsEqual(Self.pedalUp) }) }
  }

  /// The messages of each pass, without those of a stop.
  private func passes(_ arrivals: [Arrival], of song: SongKind) -> [[Arrival]] {
    arrivals.split(whereSeparator: \.isEnd).map { pass in
      let start = pass.lastIndex(where: \.isStop).map { $0 + 1 } ?? pass.startIndex
      return pass[start...].filter {
        $0.bytes.first != 0x8F && !(isLeftDown(song) && $0.bytes.elementsEqual(Self.pedalUp))
      }
    }
  }

  private static let pedalUp: [UInt8] = [0xB0, 64, 0]

  /// True if the song does not raise its pedal, so that a stop does.
  private func isLeftDown(_ song: SongKind) -> Bool {
    song.file.firstRange(of: [0xB0, 64, 127]) != nil
      && song.file.firstRange(of: Self.pedalUp) == nil
  }

  private func expected(_ song: SongKind) -> [String] {
    song.sentWhole.compactMap { line in
      var words = line.split(separator: " ")
      if words[1] == "B0", words.suffix(2) == ["40", "00"], isLeftDown(song) { return nil }
      let isRelease = words[1].first == "9" && words.count == 4 && words[3] == "00"
      if isRelease { words[1] = "8" + words[1].dropFirst() }
      return words.joined(separator: " ")
    }
  }
}
