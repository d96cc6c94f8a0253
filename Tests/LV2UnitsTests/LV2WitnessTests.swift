// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import Foundation
import LV2Units
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

/// Plug-ins of Debian's packages, compared with `lv2apply` of lilv-utils.
///
/// `lv2apply` renders one frame at a time, so these tests do, too.
@Suite(.enabled(if: ProbePlugins.isLilvInstalled, "liblilv-0-0 is not installed"))
struct LV2WitnessTests {
  static let mda = "/usr/lib/lv2/mda.lv2"
  static let isMDAInstalled = FileManager.default.fileExists(atPath: mda)
  static let isWitnessInstalled =
    FileManager.default.fileExists(atPath: "/usr/bin/lv2apply") && isMDAInstalled
    && FileManager.default.fileExists(atPath: "/usr/lib/lv2/gverb-swh.lv2")

  static let bundles =
    [mda]
    + [
      "gverb", "dj_eq", "comb", "svf", "sc4", "lcr_delay", "fast_lookahead_limiter",
      "karaoke", "foverdrive", "diode",
    ].map { "/usr/lib/lv2/\($0)-swh.lv2" }

  /// Plug-ins whose sound is independent of the length of a run.
  ///
  /// `swh-plugins-valve` is left out: its filter starts with uninitialised memory (valgrind:
  /// "uninitialised value was created by a heap allocation" in its `instantiate`), so that
  /// `lv2apply` itself gave nine different results in twelve runs.
  static let effects = [
    "mda-ambience", "mda-bandisto", "mda-combo", "mda-delay", "mda-detune",
    "mda-dubdelay", "mda-dynamics", "mda-leslie", "mda-limiter", "mda-overdrive", "mda-rezfilter",
    "mda-ringmod", "mda-stereo", "mda-thruzero", "swh-plugins-gverb", "swh-plugins-dj_eq",
    "swh-plugins-comb_c", "swh-plugins-svf", "swh-plugins-sc4",
    "swh-plugins-lcrdelay", "swh-plugins-karaoke", "swh-plugins-foverdrive", "swh-plugins-diode",
    "swh-plugins-fastlookaheadlimiter",
  ]

  static let x42Bundles = ["darc", "matrixmixer", "meters", "nodelay", "stereoroute", "xfade"]
    .map { "/usr/lib/lv2/\($0).lv2" }
  static let isX42Installed = x42Bundles.allSatisfy(FileManager.default.fileExists)

  /// The effects of x42-plugins that `lv2apply` supports.
  ///
  /// It refuses the others, such as fil4, dpl and convo, because they have event ports, and crashes
  /// with zeroconvolv (segmentation fault).
  static let x42Effects = [
    "darc#mono", "darc#stereo", "matrixmixer#i8o8", "meters#K20stereo", "nodelay", "stereoroute",
    "xfade",
  ].map { "http://gareus.org/oss/lv2/" + $0 }

  static let frameCount = 6400

  /// Read once for all tests.
  private static let world = Result { try LV2World(bundles: bundles) }
  private static let x42World = Result { try LV2World(bundles: x42Bundles) }

  @Test(
    .enabled(if: isWitnessInstalled, "lilv-utils, mda-lv2 or swh-lv2 is not installed"),
    arguments: effects)
  func `an effect sounds as in lv2apply, bit for bit`(name: String) throws {
    try Self.compare(name, in: Self.world.get())
  }

  @Test(
    .enabled(
      if: isX42Installed && isWitnessInstalled, "lilv-utils or x42-plugins is not installed"),
    arguments: x42Effects)
  func `an effect of x42 sounds as in lv2apply, bit for bit`(uri: String) throws {
    try Self.compare(uri, in: Self.x42World.get())
  }

  private static func compare(_ name: String, in world: LV2World) throws {
    let plugin = try world.plugin(named: name)
    let noise = Noise(channelCount: plugin.inputCount, frameCount: frameCount)
    let witness = try noise.applied(by: plugin.uri, bundle: plugin.bundle)
    let unit = try LV2Unit(
      plugin, in: world, configuration: LV2Configuration(rate: Rate.studio, framesPerRun: 1))
    let heard = try noise.heard(through: unit)
    #expect(witness.count == frameCount * plugin.outputCount)
    #expect(witness.contains { $0 != 0 })
    let places = heard.indices.filter { heard[$0].bitPattern != witness[$0].bitPattern }
    #expect(places.isEmpty, "\(places.count) samples differ, the first at \(places.first ?? 0)")
  }

  @Test(.enabled(if: isMDAInstalled, "mda-lv2 is not installed"))
  func `a piano plays the same notes to the same samples, and allocates nothing`() throws {
    let world = try Self.world.get()
    let piano = try world.plugin(named: "mda-epiano")
    #expect(piano.isInstrument)
    var heard: [[Float]] = []
    var counts = CAllocationCounts()
    for _ in 0..<2 {
      let unit = try LV2Unit(
        piano, in: world, configuration: LV2Configuration(rate: Rate.studio))
      try Self.play(on: unit)
      var graph = AudioGraph()
      try graph.setHead(graph.add(unit))
      let plan = try graph.compile()
      var samples: [Float] = []
      samples.reserveCapacity(400 * 64)
      if callocationcounter_works() { callocationcounter_begin() }
      for block in 0..<400 {
        plan.render(at: SampleTime(frames: Int64(block * 64)))
        for frame in 0..<64 { samples.append(plan.output[0, frame]) }
      }
      if callocationcounter_works() { counts = callocationcounter_end() }
      heard.append(samples)
    }
    #expect(heard[0] == heard[1])
    #expect(counts.allocations == 0 && counts.locks == 0)
    // Silence before the first note, and sound from its frame.
    #expect(heard[0][..<100].allSatisfy { $0 == 0 })
    #expect(heard[0][100..<4000].contains { abs($0) > 0.01 })
  }

  private static func play(on unit: LV2Unit) throws {
    let channel = Channel(index: 0)
    var events: [TimedEvent] = []
    for (index, number) in [60, 64, 67, 72].enumerated() {
      let key = Key(UInt8(number))
      let start = Rate.studio.timeRoundedUp(of: SampleTime(frames: Int64(100 + index * 4001)))
      let message = Message.noteOn(channel, key, velocity: 100)
      events.append(TimedEvent(time: start, payload: .message(message)))
    }
    #expect(unit.send(events.span, payloads: [UInt8]().span) == events.count)
  }

  @Test(.enabled(if: isMDAInstalled, "mda-lv2 is not installed"))
  func `presets are listed by name, and set the controls`() throws {
    let world = try Self.world.get()
    let piano = try world.plugin(named: "mda-epiano")
    let presets = world.presets(of: piano)
    #expect(presets.count >= 4 && presets.map(\.label) == presets.map(\.label).sorted())
    let unit = try LV2Unit(piano, in: world, configuration: LV2Configuration(rate: Rate.studio))
    let before = piano.controls.indices.map { unit.parameters[$0] }
    for preset in presets { try unit.load(preset) }
    #expect(before != piano.controls.indices.map { unit.parameters[$0] })
    #expect(try world.preset(named: presets[0].label.uppercased(), of: piano) == presets[0])
    #expect(throws: LV2Error.self) { try world.preset(named: "no such", of: piano) }
  }
}

/// Generated noise, played through a plug-in and through `lv2apply`.
private struct Noise {
  let channelCount: Int
  /// Interleaved samples.
  let samples: [Float]

  init(channelCount: Int, frameCount: Int) {
    self.channelCount = channelCount
    var state: UInt32 = 1
    samples = (0..<channelCount * frameCount).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state) >> 8) / Float(1 << 24)
    }
  }

  /// The output of a unit, interleaved.
  func heard(through unit: LV2Unit) throws -> [Float] {
    let source = KernelUnit(
      Player(samples: samples, channelCount: channelCount), name: "noise",
      outputs: [channelCount], rate: Rate.studio)
    let listener = try PlanListener(source, through: unit)
    listener.render(quanta: samples.count / channelCount / 64)
    let channels = listener.channels
    return channels[0].indices.flatMap { frame in channels.map { $0[frame] } }
  }

  private struct Player: SoundKernel {
    let samples: [Float]
    let channelCount: Int

    func render(_ block: SoundBlock) {
      for channel in 0..<channelCount {
        var output = block.output(channel)
        for frame in 0..<block.frameCount {
          output[frame] = samples[(Int(block.start.frames) + frame) * channelCount + channel]
        }
      }
    }
  }

  /// The output of `lv2apply`, interleaved; it can see only this plug-in.
  func applied(by uri: String, bundle: String) throws -> [Float] {
    let scratch = try TestSupport.ScratchFolder()
    let input = try scratch.write("in.wav", WaveFloats.file(samples, channelCount: channelCount))
    try FileManager.default.createDirectory(
      atPath: scratch.path("lv2"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("lv2/one.lv2"), withDestinationPath: bundle)
    let run = try ToolRun(
      ["-i", input, "-o", scratch.path("out.wav"), uri],
      environment: ["LV2_PATH": scratch.path("lv2")], command: "/usr/bin/lv2apply")
    guard run.status == 0 else { throw ProbePlugins.Failure(text: run.errors) }
    return WaveFloats.samples(Array(try FileContent.data(scratch.path("out.wav"))))
  }
}
