// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import LV2Units
import MusicalTime
import Testing

/// The state of plug-ins, alone and in graphs, and their names in texts.
@Suite(.enabled(if: ProbePlugins.isLilvInstalled, "liblilv-0-0 is not installed"))
struct LV2StateTests {
  private static func unit(_ name: String) throws -> LV2Unit {
    let world = try ProbePlugins.world()
    return try LV2Unit(
      ProbePlugins.plugin(name, in: world), in: world,
      configuration: LV2Configuration(rate: Rate.studio, buses: .stereo))
  }

  /// A unit whose worker has answered 2.
  private static func worked() throws -> LV2Unit {
    let unit = try unit("worker")
    try unit.parameters.set(0, to: 1)
    try PlanListener(SignalUnit(.constant(0)), through: unit).render(quanta: 2)
    return unit
  }

  @Test func `a state restores the plug-in's data and its controls`() throws {
    let state = try Self.worked().state()
    let other = try Self.unit("worker")
    try other.restore(state)
    #expect(other.parameters[0] == 1)
    let heard = try PlanListener(SignalUnit(.constant(0)), through: other).render(quanta: 1)
    #expect(heard[0][0] == 2 && heard[1][0] == 2)
  }

  @Test func `an invalid state changes nothing`() throws {
    let unit = try Self.unit("worker")
    let good = String(decoding: try Self.worked().state(), as: UTF8.self)
    let cut = good.prefix(good.count / 2)
    let spoilt = [
      "", "nonsense", "# LV2 state 2 of urn:probe:worker\n",
      "# LV2 state 1 of urn:probe:amp\n" + good,
      "# LV2 state 1 of urn:probe:worker\n", "# LV2 state 1 of urn:probe:worker\n<a> <b> <c> .",
      good.replacing("<urn:probe:worker>", with: "<urn:probe:amp>"), good + "\0",
    ]
    for text in spoilt {
      let error = #expect(throws: LV2Error.self, "\(text)") {
        try unit.restore(Array(text.utf8))
      }
      #expect("\(error.map { "\($0)" } ?? "")".contains("state cannot be restored"))
    }
    #expect(throws: LV2Error.self) { try unit.restore([0xFF, 0xFE]) }
    #expect(unit.parameters[0] == 0.5)
    do { try unit.restore(Array(cut.utf8)) } catch {}
  }

  @Test
  func `a value out of range in a state is limited, and a value that is not a number is ignored`()
    throws
  {
    let good = String(decoding: try Self.worked().state(), as: UTF8.self)
    let value = try #require(good.firstMatch(of: #/pset:value +\S+/#))
    for (text, held) in [("99.5", Float(2)), ("-99.5", -2), (#""much""#, 0.5)] {
      let unit = try Self.unit("worker")
      try unit.restore(Array(good.replacing(value.0, with: "pset:value \(text)").utf8))
      #expect(unit.parameters[0] == held, "\(text)")
    }
  }

  @Test func `a state of another version is refused in a sentence`() throws {
    let unit = try Self.unit("worker")
    let error = #expect(throws: LV2Error.self) {
      try unit.restore(Array("# LV2 state 2 of urn:probe:worker\n".utf8))
    }
    let sentence =
      "urn:probe:worker: the state cannot be restored: it was not saved by this version of"
      + " Downbeat"
    #expect("\(try #require(error))" == sentence)
  }

  @Test func `a saved graph contains the plug-in with its state`() throws {
    var graph = AudioGraph()
    let head = graph.add(try Self.worked())
    let inlet = graph.add(SubgraphUnit.Inlet(name: "in", channelCount: 2))
    try graph.connect(inlet, to: head)
    try graph.setHead(head)
    let text = try SavedGraph(graph).text
    let saved = try SavedGraph(Array(text.utf8))
    var registry = UnitRegistry.standard
    registry.registerLV2 { try ProbePlugins.world() }
    let restored = try saved.restored(by: registry, rate: Rate.studio)
    let node = try #require(restored.nodes["Probe worker"])
    let unit = try #require(try restored.graph.unit(node) as? LV2Unit)
    #expect(unit.parameters[0] == 1 && unit.configuration.buses == .stereo)
    let heard = try PlanListener(SignalUnit(.constant(0)), through: unit).render(quanta: 1)
    #expect(heard[0][0] == 2)
    registry.registerLV2 { try LV2World(bundles: []) }
    let error = #expect(throws: GraphError.self) {
      try saved.restored(by: registry, rate: Rate.studio)
    }
    #expect("\(try #require(error))".contains("urn:probe:worker: unknown plug-in"))
  }

  @Test func `a text names a plug-in, and its controls by symbol or name`() throws {
    let catalogue = EffectCatalogue.standard.adding(.lv2 { try ProbePlugins.world() })
    for text in ["lv2:probe-amp level=2", "LV2:Amp loud-ness=200%"] {
      let unit = try catalogue.unit(text, rate: Rate.studio)
      #expect(unit.parameters[0] == 2 && unit.inputChannelCounts == [2])
    }
    let chain = try catalogue.chain(["reverb", "lv2:amp level=1.5"], rate: Rate.studio)
    #expect(chain.units.last?.setup.kind == "lv2" && chain.units.last?.parameters == ["level": 1.5])
    for (text, sentence) in [
      ("lv2:nothing", "lv2:nothing: nothing: unknown plug-in"),
      ("lv2:needy", "lv2:needy: urn:probe:needy: cannot be used: it needs the feature"),
      ("lv2:amp level=3", "lv2:amp: level=3 is out of range (use -2…2)"),
      ("lv2:amp level=nan", "lv2:amp: level=nan is not a valid value"),
      ("lv2:amp level=1e99", "lv2:amp: level=1e99 is"),
      ("lv2:amp loudness=1", "lv2:amp: unknown parameter loudness (did you mean loud-ness?)"),
    ] {
      let error = #expect(throws: EffectError.self) { try catalogue.unit(text, rate: Rate.studio) }
      #expect("\(try #require(error))".hasPrefix(sentence))
    }
  }
}
