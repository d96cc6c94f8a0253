// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import ClockService
import FluidSynthInstruments
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime
import SequencePlayback
import TestSupport
import Testing

/// Songs by both engines: what one gives and the other does not, beside the song itself.
///
/// Notes begin in both as FluidSynth's do: at its quanta, and with the gains of the voice before. With `DOWNBEAT_LONG` there are more songs, half a minute
/// of each, and each song's figures are printed.
@Suite(.serialized, .enabled(if: NullFont.isPossible, "needs FluidR3_GM.sf2 and a corpus"))
struct NullTests {
  private static let seconds = LongTests.areWanted ? 30 : 5
  /// The collections whose first songs are taken.
  private static let folders = [
    "bytedance__GiantMIDI-Piano", "freedoom__freedoom", "jazz-soft__test-midi-files",
    "omarperacha__js-fakes", "openhymnal-rendered",
  ]

  /// The first songs of each collection, by name, that have some notes; and this project's own.
  private static let songs: [URL] = {
    let count = LongTests.areWanted ? 4 : 1
    let found = folders.flatMap { folder in
      let files = (try? CorpusFolder.midiFiles(under: folder)) ?? []
      return Array(files.lazy.filter { (try? song($0))?.hasManyNotes == true }.prefix(count))
    }
    guard LongTests.areWanted else { return NullFont.isPossible ? found : [] }
    let own = ToolRun.packageFolder.appendingPathComponent("Songs")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: own.path)) ?? []
    return found
      + names.filter { $0.hasSuffix(".mid") }.sorted().map(own.appendingPathComponent)
  }()

  private static func song(_ url: URL) throws -> MusicSequence {
    try SMFReader().read([UInt8](Data(contentsOf: url))).sequences[0]
  }

  private static func configuration(
    _ engine: InstrumentConfiguration.Engine
  ) -> InstrumentConfiguration {
    var configuration = InstrumentConfiguration(rate: .hertz48000)
    configuration.engine = engine
    configuration.beginsAsFluidSynth = true
    configuration.dryBuses = .mixed
    configuration.polyphony = 512
    return configuration
  }

  /// The font, read once for all songs.
  private static let fonts = Result {
    try SharedFonts(
      [SoundFontLayer(SoundFont(path: NullFont.path))], for: configuration(.downbeat))
  }

  /// A song's dry sound and its effects, by one engine.
  private final class Performance {
    private let source: AheadUnit
    private let scheduler: EventScheduler
    private var frame: Int64 = 0

    init(_ song: MusicSequence, _ engine: InstrumentConfiguration.Engine) throws {
      let configuration = NullTests.configuration(engine)
      let instrument = try InstrumentUnit(NullTests.fonts.get(), configuration: configuration)
      source = AheadUnit(instrument, capacity: 32)
      let score = try PlayerScore(song)
      let router = Router()
      router.addRoute(Route(to: router.addDestination(instrument)))
      scheduler = EventScheduler(
        clock: MusicClock(tempoMap: score.tempoMap), sources: [MusicPlayer(score)],
        router: router)
      try scheduler.start(from: .zero, at: .zero)
    }

    /// The next 32 quanta: both channels of the dry sound, then the same with the effects.
    func next() throws -> (dry: [Float], all: [Float]) {
      let rate = SampleRate.hertz48000
      try scheduler.step(
        to: rate.timeRoundedUp(of: SampleTime(frames: frame + 31 * 64 + 33)))
      source.renderAhead(startFrame: frame, count: 32, inRuns: false) {}
      frame += 32 * 64
      var (dry, all): ([Float], [Float]) = ([], [])
      for quantum in 0..<32 {
        for channel in 0..<2 {
          let buses = (0..<3).map { source.bus($0, quantum: quantum) }
          for frame in 0..<64 {
            let (sound, reverb, chorus) = (
              buses[0][channel, frame], buses[1][channel, frame], buses[2][channel, frame]
            )
            dry.append(sound)
            all.append(sound + reverb + chorus)
          }
        }
      }
      return (dry, all)
    }
  }

  /// The power of sounds, and of the difference of two.
  private struct Powers {
    var song = 0.0
    var difference = 0.0

    mutating func add(_ one: [Float], _ other: [Float]) {
      for (left, right) in zip(one, other) {
        song += Double(left) * Double(left)
        difference += Double(left - right) * Double(left - right)
      }
    }

    var decibels: Double { difference == 0 ? -200 : 10 * log10(difference / song) }
  }

  @Test func `there is a song of each collection`() {
    #expect(Self.songs.count >= (LongTests.areWanted ? 20 : Self.folders.count))
  }

  @Test(arguments: songs)
  func `a song is the same by both engines, to a thousandth`(url: URL) throws {
    let song = try Self.song(url)
    let performances = try InstrumentConfiguration.Engine.allCases.map {
      try Performance(song, $0)
    }
    var (dry, all) = (Powers(), Powers())
    var worst: (decibels: Double, second: Int) = (-200, 0)
    for second in 0..<Self.seconds {
      var now = Powers()
      for _ in 0..<48_000 / 2048 {
        let heard = try performances.map { try $0.next() }
        now.add(heard[0].dry, heard[1].dry)
        dry.add(heard[0].dry, heard[1].dry)
        all.add(heard[0].all, heard[1].all)
      }
      if now.song > 0, now.decibels > worst.decibels { worst = (now.decibels, second) }
    }
    let figures = [dry.decibels, all.decibels, worst.decibels].map { String(format: "%.1f", $0) }
    let line =
      "\(url.lastPathComponent): dry \(figures[0]) dB, with effects \(figures[1]) dB; the worst"
      + " second \(worst.second): \(figures[2]) dB"
    if LongTests.areWanted { print("null", line) }
    #expect(dry.song > 0)
    #expect(dry.decibels < -60, "\(line)")
    #expect(all.decibels < -60, "\(line)")
  }
}

/// What the songs are played with, where it is there.
private enum NullFont {
  static let path = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
  static let isPossible =
    CorpusFolder.isThere && FileManager.default.fileExists(atPath: path)
    && SoundFont.libraryVersion != nil
}

extension MusicSequence {
  /// Whether there is enough to compare.
  fileprivate var hasManyNotes: Bool {
    let counts = tracks.map { track in
      track.events.reduce(0) { count, event in
        switch event.content {
        case .note: count + 1
        case .message(let message): message.isStrike ? count + 1 : count
        default: count
        }
      }
    }
    return counts.reduce(0, +) > 100
  }
}
