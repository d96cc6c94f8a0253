// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import AudioTestSupport
import Foundation
import MusicalTime
import TestSupport
import Testing

@Suite struct SavedGraphTests {
  private struct Gain: SoundKernel {
    func render(_ block: SoundBlock) {
      let gain = block.curve(of: 0)
      for channel in 0..<block.outputChannelCount() {
        let input = block.input(channel)
        var output = block.output(channel)
        for frame in 0..<block.frameCount { output[frame] = input[frame] * gain[frame] }
      }
    }
  }

  private static func gain(_ name: String, _ channels: Int, _ rate: SampleRate) -> KernelUnit {
    KernelUnit(
      Gain(), name: name, inputs: [channels], outputs: [channels],
      parameters: [Parameter("gain", .factor, 0...4, initially: 1)],
      setup: UnitSetup("gain", ["channels": .count(channels)]), rate: rate)
  }

  private var registry: UnitRegistry {
    var registry = UnitRegistry.standard
    registry.register(headphones: TestHead.responses)
    registry.register("gain") { reader throws(GraphError) in
      Self.gain(reader.name, try reader.count("channels", in: 1...8, default: 2), reader.rate)
    }
    return registry
  }

  @Test(arguments: [
    #""kind":"delay","setup":{"channels":64,"longest":60}"#,
    #""kind":"scene","setup":{"sources":256,"longestDelay":10}"#,
    #""kind":"input","setup":{"channels":64,"heldFrames":1048576}"#,
    #""kind":"delay","setup":{"channels":9223372036854775807,"longest":1e30}"#,
  ])
  func `units that claim more than 256 MiB are refused before they are created`(
    unit: String
  ) throws {
    let text = #"{"v":1,"type":"saved-graph","units":[{"id":"a",\#(unit)}],"connections":[]}"#
    let graph = try SavedGraph(Array(text.utf8))
    let error = #expect(throws: GraphError.self) { _ = try graph.restored(rate: Rate.studio) }
    #expect("\(try #require(error))".contains("the units need more than 256 MiB"))
  }

  @Test func `units together claim the sum of their claims`() throws {
    let units = (0..<32).map {
      SavedGraph.Unit("\($0)", UnitSetup("delay", ["longest": .number(30)]))
    }
    #expect(
      try SavedGraph(units: Array(units[..<20])).restored(rate: Rate.studio).nodes.count == 20)
    #expect(throws: GraphError.self) {
      _ = try SavedGraph(units: units).restored(rate: Rate.studio)
    }
  }

  /// Every unit that can be saved, in one graph, with parameters that differ from the defaults.
  private func everything() throws -> AudioGraph {
    let rate = Rate.studio
    var graph = AudioGraph()
    let mixer = MixerUnit(channelCounts: [1, 2, 2, 1, 2, 2], trim: 0.5, rate: rate)
    mixer[1].law = .linear
    let mix = graph.add(mixer)
    let noise = graph.add(GeneratorUnit(.pinkNoise, seed: 7, rate: rate))
    try graph.connect(noise, to: mix, input: 0)
    let panner = graph.add(PannerUnit(law: .compromise, rate: rate))
    try graph.connect(noise, to: panner)
    try graph.connect(panner, to: mix, input: 1)
    let space = graph.add(SpatialMixerUnit(sourceCount: 2, distanceLaw: .linear, rate: rate))
    let clicks = graph.add(GeneratorUnit(name: "clicks", .clicks, rate: rate))
    try graph.connect(clicks, to: space, input: 1)
    try graph.connect(space, to: mix, input: 2)
    let around = SceneUnit(
      sourceCount: 2, output: .headphones(TestHead.responses), distanceLaw: .linear,
      longestDelay: 0.1, rate: rate)
    let scene = graph.add(around)
    try graph.connect(clicks, to: scene, input: 1)
    try graph.connect(scene, to: mix, input: 5)
    let split = graph.add(SplitterUnit(outputCount: 3, rate: rate))
    try graph.connect(panner, to: split)
    let mono = graph.add(ChannelConverterUnit(from: 2, to: 1, rate: rate))
    try graph.connect(split, output: 2, to: mono)
    try graph.connect(mono, to: mix, input: 3)
    let merger = graph.add(MergerUnit(channelCounts: [1, 1]))
    try graph.connect(noise, to: merger, input: 1)
    try graph.connect(merger, to: mix, input: 4)
    var effects: [any ProcessingUnit] = [
      EqualizerUnit(bands: [.lowShelf, .notch], rate: rate),
      DelayUnit(longestSeconds: 0.5, rate: rate), ReverbUnit(rate: rate),
      CompressorUnit(lookAhead: 33, rate: rate), ChorusUnit(rate: rate), GateUnit(rate: rate),
      SaturationUnit(rate: rate), StereoUnit(rate: rate), FilterUnit(.highPass, rate: rate),
      FilterUnit(.lowPass, slope: 24, rate: rate), Self.gain("gain", 2, rate),
      Self.gain("gain", 2, rate), LimiterUnit(ceiling: -3, rate: rate), FlangerUnit(rate: rate),
      PhaserUnit(stageCount: 8, rate: rate), TremoloUnit(rate: rate), WahUnit(rate: rate),
      RotaryUnit(rate: rate), EnhancerUnit(rate: rate), LoFiUnit(rate: rate),
      CrossDelayUnit(rate: rate), TapDelayUnit(rate: rate), PitchShiftUnit(rate: rate),
    ]
    for kind in DriveUnit.Kind.allCases { effects.append(DriveUnit(kind, rate: rate)) }
    var last = mix
    for effect in effects {
      let node = graph.add(effect)
      try graph.connect(last, to: node)
      last = node
    }
    try graph.connect(last, to: graph.add(MeterTap(rate: rate)))
    try graph.setHead(last)
    for node in graph.nodes {
      guard let set = (graph.unit(at: node) as? any ParametricUnit)?.parameters else { continue }
      for (index, parameter) in set.parameters.enumerated() where parameter.measure != .toggle {
        let range = parameter.range
        let far = range.lowerBound + (range.upperBound - range.lowerBound) * 0.3
        try set.set(index, to: min(far, 0.7 + parameter.initialValue), over: 0)
      }
    }
    return graph
  }

  @Test func `a saved and restored graph is equal and sounds the same`() throws {
    let graph = try everything()
    let saved = try SavedGraph(graph)
    let read = try SavedGraph(Array(saved.text.utf8))
    #expect(read == saved)
    #expect(read.text == saved.text)
    let line = saved.text.split(separator: "\n").joined(separator: " ")
    #expect(try SchemaJudge.faults(of: Data(line.utf8), in: "saved-graph") == "")
    #expect(
      Set(read.units.map(\.setup.kind)) == Set(registry.kinds).subtracting(["inlet", "input"]))
    let restored = try read.restored(by: registry, rate: Rate.studio)
    #expect(try SavedGraph(restored.graph) == saved)
    let first = PlanListener(try graph.compile())
    let second = PlanListener(try restored.graph.compile())
    #expect(first.plan.latency == second.plan.latency && first.plan.tail == second.plan.tail)
    let heard = first.render(quanta: 200)
    #expect(heard == second.render(quanta: 200))
    #expect(heard[0].contains { $0 != 0 })
    #expect(saved.units.filter { $0.name == "gain" }.map(\.id) == ["gain", "gain 2"])
  }

  @Test func `a graph of six channels is rendered into a file of six`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("six.wav")
    var graph = AudioGraph()
    let head = graph.add(MergerUnit(channelCounts: [2, 1, 2, 1]))
    for (input, count) in [2, 1, 2, 1].enumerated() where input != 2 {
      try graph.connect(graph.add(ImpulseUnit(channelCount: count)), to: head, input: input)
    }
    try graph.setHead(head)
    let format = try SoundFileFormat(.wav, .float32)
    let writer = try SoundFileWriter(
      path: path, format: format, channelCount: 6, rate: Rate.studio)
    try OfflineRenderer(plan: graph.compile(), rate: Rate.studio).render(upTo: 100) { _ in
      true
    } take: {
      try writer.write($0)
    }
    try writer.finish()
    let samples = try SoundFileReader(path: path).read(frameCount: 200)
    #expect(samples.count == 600 && Array(samples[..<6]) == [1, 1, 1, 0, 0, 1])
    #expect(samples[6...].allSatisfy { $0 == 0 })
  }

  @Test func `a unit that cannot be saved is named`() throws {
    var graph = AudioGraph()
    _ = graph.add(RecordingTap(capacity: 64))
    #expect(throws: GraphError.notSavable("tap")) { try SavedGraph(graph) }
  }

  /// A document with one unit, with part of its text replaced.
  private func document(_ old: String = "", _ new: String = "") -> [UInt8] {
    let text = """
      {"v": 1, "type": "saved-graph", "units": [
       {"id": "in", "kind": "inlet"},
       {"id": "hall", "kind": "delay", "setup": {"channels": 2}, "parameters": {"time": 0.5}}],
       "connections": [{"from": "in", "output": 0, "to": "hall", "input": 0}],
       "head": {"unit": "hall"}}
      """
    guard !old.isEmpty else { return Array(text.utf8) }
    let parts = text.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
    return Array(parts.joined(separator: new).utf8)
  }

  @Test(
    arguments: [
      ("{\"v\"", "{v", "byte 1: expected '\"'"),
      ("saved-graph", "graph", "type: expected \"saved-graph\""),
      ("\"v\": 1", "\"v\": 2", "v: expected 1 (a later version of Downbeat wrote this file)"),
      ("\"v\": 1,", "", "v: expected a whole number"),
      ("\"delay\"", "\"dealy\"", "units[1].kind: unknown kind of unit: dealy (available: chor"),
      (
        "\"channels\": 2", "\"channels\": 0",
        "units[1].setup.channels: expected a whole number 1…64"
      ),
      (
        "\"channels\"", "\"chanels\"",
        "units[1].setup.chanels: unknown setting of delay (available: "
      ),
      ("0.5", "5", "units[1].parameters.time: 5.0 is out of range (use 0.001…2.0)"),
      ("0.5", "\"5\"", "units[1].parameters.time: expected a number"),
      ("0.5", "1e300", "units[1].parameters.time: expected a number"),
      ("\"time\"", "\"thyme\"", "units[1].parameters.thyme: unknown parameter of hall ("),
      ("\"id\": \"hall\"", "\"id\": \"in\"", "units[1].id: in is used twice"),
      ("\"id\": \"hall\"", "\"colour\": 3", "units[1].colour: unknown member"),
      ("\"from\": \"in\"", "\"from\": \"out\"", "connections[0].from: unknown unit out"),
      (
        "\"input\": 0", "\"input\": 3",
        "connections[0]: hall: input 3 does not exist (number of inputs: 1)"
      ),
      ("\"output\": 0", "\"output\": -1", "connections[0].output: expected a whole number"),
      ("\"channels\": 2", "\"channels\": 1", "connections[0]: in: has 2 channels, but hall has 1"),
      ("{\"unit\": \"hall\"}", "{\"unit\": \"room\"}", "head.unit: unknown unit room"),
      ("{\"unit\": \"hall\"}", "4", "head: expected an object"),
      ("\"units\"", "\"unit\"", "unit: unknown member"),
    ])
  func `faults in a document are reported with their place`(
    old: String, new: String, sentence: String
  ) throws {
    do throws(GraphError) {
      _ = try SavedGraph(document(old, new)).restored(rate: Rate.studio)
      Issue.record("it was taken: \(new)")
    } catch {
      #expect("\(error)".hasPrefix(sentence), "\(error)")
    }
  }

  @Test func `no document causes a trap`() throws {
    let whole = document()
    var random = SplitMix(seed: 5)
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0...Int(random.next() % 3) {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 3 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8(ascii: "9"), at: place)
        }
      }
      do throws(GraphError) {
        let graph = try SavedGraph(bytes)
        if bytes.count < 400 { _ = try graph.restored(rate: Rate.studio).graph.compile() }
      } catch { #expect(!"\(error)".isEmpty) }
    }
  }

  @Test func `saved effects are inserted behind a unit, in place of their inlet`() throws {
    let restored = try SavedGraph(document()).restored(rate: Rate.studio)
    let delay = try #require(restored.nodes["hall"].flatMap { restored.graph.unit(at: $0) })
    (delay as? DelayUnit)?.parameters.hold(DelayUnit.Setting.mix, to: 1)
    var graph = AudioGraph()
    let source = graph.add(ImpulseUnit())
    let limiter = graph.add(LimiterUnit(rate: Rate.studio))
    try graph.connect(source, to: limiter)
    try graph.setHead(limiter)
    let inlet = try #require(restored.inlet)
    try graph.insert(restored.graph, inlet: inlet, behind: source)
    #expect(graph.nodes.count == 3 && graph.unit(at: inlet) == nil)
    let heard = PlanListener(try graph.compile()).render(quanta: 400)[0]
    #expect(heard.onset() == 24_000 + 64)
    let mono = graph.add(ImpulseUnit(channelCount: 1))
    let other = try SavedGraph(document()).restored(rate: Rate.studio)
    #expect(throws: GraphError.self) {
      try graph.insert(other.graph, inlet: try #require(other.inlet), behind: mono)
    }
    #expect(throws: GraphError.unitTwice("hall")) {
      try graph.insert(restored.graph, inlet: inlet, behind: source)
    }
  }

  @Test func `a rendering ends with the tail of its effects, and not before`() throws {
    let delay = DelayUnit(rate: Rate.studio)
    for (setting, value) in [(.time, 0.1), (.feedback, 0.1), (.mix, 1)]
      as [(DelayUnit.Setting, Float)]
    {
      delay.parameters.hold(setting, to: value)
    }
    var graph = AudioGraph()
    let head = graph.add(LimiterUnit(rate: Rate.studio))
    let echo = graph.add(delay)
    try graph.connect(graph.add(ImpulseUnit()), to: echo)
    try graph.connect(echo, to: head)
    try graph.setHead(head)
    func lengthAndEchoes(ringsOut: Bool) throws -> (Int, Int) {
      let renderer = OfflineRenderer(plan: try graph.compile(), rate: Rate.studio)
      var samples: [Float] = []
      try renderer.render(ringsOut: ringsOut) { _ in
        renderer.rendered.frames < 640
      } take: {
        for index in $0.indices { samples.append($0[index]) }
      }
      return (samples.count / 2, samples.count { $0 != 0 } / 2)
    }
    let (frames, count) = try lengthAndEchoes(ringsOut: true)
    #expect(frames == 640 + delay.tail && count == 6)
    #expect(try lengthAndEchoes(ringsOut: false) == (640, 0))
  }
}
