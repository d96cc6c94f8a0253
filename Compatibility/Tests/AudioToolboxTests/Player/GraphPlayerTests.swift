// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Downbeat
import Foundation
import MusicSequences
import MusicalTime
import Synchronization
import TestSupport
import Testing

/// Players whose graph is rendered by the program.
@Suite struct GraphPlayerTests {
  /// A song that plays through a graph.
  private final class Song {
    let graph: SongGraph
    let sequence = TestSequence()
    private(set) var player: MusicPlayer?

    init(_ name: String? = nil, rate: Double = 48_000) {
      graph = SongGraph(rate: rate)
      if let name {
        MusicSequenceFileLoad(sequence.handle, Self.url(name), .midiType, [])
      }
      MusicSequenceSetAUGraph(sequence.handle, graph.graph)
      for index in stride(from: 0, to: sequence.trackCount, by: 2) {
        MusicTrackSetDestNode(sequence.track(index), graph.synth)
      }
      NewMusicPlayer(&player)
      MusicPlayerSetSequence(player, sequence.handle)
    }

    deinit { DisposeMusicPlayer(player) }

    static func url(_ name: String) -> NSURL {
      NSURL(
        fileURLWithPath: ToolRun.packageFolder.appendingPathComponent("Songs/\(name).mid").path)
    }

    var time: Double {
      var time = Double.nan
      MusicPlayerGetTime(player, &time)
      return time
    }
  }

  /// The samples that `downbeat render` computes for a song, before it adjusts the level.
  static func rendered(_ name: String, rate: SampleRate, frames: Int) throws -> [Float] {
    let path = try #require(Song.url(name).path)
    let bytes = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
    let song = try SMFReader().read(bytes).sequences[0]
    let settings = SessionSettings(soundFont: SongGraph.font, rate: rate)
    var samples: [Float] = []
    try SongRenderer(song, settings: settings)
      .render(upTo: SampleTime(frames: Int64(frames)), limiting: false) { part, _ in
        for index in part.indices { samples.append(part[index]) }
        return true
      }
    return samples
  }

  /// Songs for which `downbeat render` uses one synthesiser, as the graph does.
  @Test(arguments: [("rag", 512), ("minuet", 333), ("prelude", 1024)])
  func `a song through a graph has the same samples as a rendered song`(
    name: String, slice: Int
  ) throws {
    let frames = 4 * 48_000
    let song = Song(name)
    #expect(MusicPlayerStart(song.player) == noErr)
    let heard = try #require(song.graph.render(frames, slice: slice))
    let expected = try Self.rendered(name, rate: .hertz48000, frames: frames)
    #expect(expected.contains { abs($0) > 0.01 })
    let count = min(heard.count, expected.count)
    let first = (0..<count).first { heard[$0] != expected[$0] }
    #expect(first == nil, "from frame \((first ?? 0) / 2) on")
  }

  @Test func `the player's time advances by the rendered frames`() throws {
    let song = Song(rate: 44_100)
    addNote(song.sequence.addTrack(), 60, at: 0)
    MusicPlayerSetTime(song.player, 4)
    #expect(MusicPlayerStart(song.player) == noErr)
    #expect(song.time == 4)
    usleep(20_000)
    #expect(song.time == 4)
    _ = song.graph.render(22_050, slice: 1000)
    #expect(abs(song.time - 5) < 1e-6)
    var (host, beats): (UInt64, Double) = (0, 0)
    #expect(MusicPlayerGetHostTimeForBeats(song.player, 5, &host) == noErr)
    #expect(MusicPlayerGetBeatsForHostTime(song.player, host, &beats) == noErr)
    #expect(abs(beats - 5) < 1e-6)
    MusicPlayerSetPlayRateScalar(song.player, 2)
    _ = song.graph.render(22_050, slice: 1000)
    #expect(abs(song.time - 7) < 0.01)
    #expect(MusicPlayerStop(song.player) == noErr)
    let stopped = song.time
    _ = song.graph.render(22_050, slice: 1000)
    #expect(song.time == stopped)
  }

  @Test func `events added during playback sound, and a stop lets notes fade out`() throws {
    let song = Song(rate: 48_000)
    let track = song.sequence.addTrack()
    MusicPlayerStart(song.player)
    let silence = try #require(song.graph.render(24_000, slice: 500))
    #expect(silence.allSatisfy { abs($0) < 1e-6 })
    addNote(track, 60, at: 2, duration: 1000)
    let struck = try #require(song.graph.render(48_000, slice: 500))
    #expect(struck.prefix(47_900).allSatisfy { abs($0) < 1e-6 })
    #expect(struck.contains { abs($0) > 0.001 })
    MusicPlayerStop(song.player)
    _ = song.graph.render(5 * 48_000, slice: 1000)
    let rest = try #require(song.graph.render(4_800, slice: 500))
    #expect(rest.allSatisfy { abs($0) < 1e-4 })
  }

  @Test func `one track plays through the graph, another is sent to an endpoint`() async throws {
    let (song, studio) = (Song(rate: 48_000), MIDIStudio("mixed"))
    addNote(song.sequence.addTrack(), 60, at: 0)
    let sent = song.sequence.addTrack()
    addNote(sent, 61, at: 0)
    #expect(MusicTrackSetDestMIDIEndpoint(sent, studio.destination) == noErr)
    MusicPlayerStart(song.player)
    let heard = try #require(song.graph.render(24_000, slice: 500))
    #expect(heard.contains { abs($0) > 0.001 })
    let packets = await studio.arrived.wait(for: 1)
    #expect(packets.first?.bytes == [0x90, 61, 100])
    MusicPlayerStop(song.player)
  }

  @Test func `the callback is called for user events before the slice that contains them`() {
    final class Log: Sendable {
      let calls = Mutex<[(MusicTimeStamp, Bool)]>([])
    }
    let log = Log()
    let song = Song(rate: 48_000)
    let track = song.sequence.addTrack()
    for beat in 0..<4 { addBytes(track, [1, 2, 3], at: Double(beat) / 2, user: true) }
    let data = Unmanaged.passUnretained(log).toOpaque()
    MusicSequenceSetUserCallback(
      song.sequence.handle,
      { data, _, _, time, _, start, end in
        guard let data else { return }
        Unmanaged<Log>.fromOpaque(data).takeUnretainedValue().calls.withLock {
          $0.append((time, start <= time && time < end))
        }
      }, data)
    MusicPlayerStart(song.player)
    _ = song.graph.render(18_000, slice: 600)
    #expect(log.calls.withLock { $0.map(\.0) } == [0, 0.5])
    _ = song.graph.render(48_000, slice: 600)
    #expect(log.calls.withLock { $0.map(\.0) } == [0, 0.5, 1, 1.5])
    #expect(log.calls.withLock { $0.allSatisfy(\.1) })
  }
}
