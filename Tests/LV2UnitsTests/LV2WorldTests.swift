// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import Foundation
import LV2Units
import TestSupport
import Testing

/// Descriptions read from plug-ins' files, and refusals.
@Suite(.enabled(if: ProbePlugins.isLilvInstalled, "liblilv-0-0 is not installed"))
struct LV2WorldTests {
  @Test func `a plug-in's ports are read with names, ranges, units and scale points`() throws {
    let plugin = try ProbePlugins.plugin("amp", in: ProbePlugins.world())
    #expect(plugin.name == "Probe amp" && plugin.author == "Nobody")
    #expect(plugin.category == "Amplifier" && plugin.refusal == nil)
    #expect(plugin.isEffect && !plugin.isInstrument && plugin.shortName == "amp")
    #expect(plugin.ports.map(\.symbol) == ["in", "out", "level", "told", "events"])
    let level = try #require(plugin.controls.first)
    #expect(level.name == "Loud Ness" && level.unit == "factor" && level.range == -2...2)
    #expect(level.initialValue == 0.5 && level.scalePoints.map(\.label) == ["none", "unity"])
    #expect(level.parameter(hertz: 48_000).measure == .factor)
    #expect(plugin.ports[4].takesMIDI && plugin.ports[4].takesPosition)
  }

  @Test func `a port that may stay unconnected may be of any kind`() throws {
    let world = try ProbePlugins.world()
    let plugin = try ProbePlugins.plugin("optional", in: world)
    #expect(plugin.refusal == nil)
    _ = try LV2Unit(plugin, in: world, configuration: LV2Configuration(rate: Rate.studio))
  }

  @Test func `an unsupported feature is named`() throws {
    let world = try ProbePlugins.world()
    let plugin = try ProbePlugins.plugin("needy", in: world)
    #expect(plugin.refusal == .feature("urn:nobody:has-it"))
    let error = #expect(throws: LV2Error.self) {
      try LV2Unit(plugin, in: world, configuration: LV2Configuration(rate: Rate.studio))
    }
    let sentence = "urn:probe:needy: cannot be used: it needs the feature urn:nobody:has-it,"
    #expect("\(try #require(error))".hasPrefix(sentence))
  }

  @Test func `a plug-in that fails to start is reported with its last message`() throws {
    let world = try ProbePlugins.world()
    let error = #expect(throws: LV2Error.self) {
      try LV2Unit(
        ProbePlugins.plugin("sulks", in: world), in: world,
        configuration: LV2Configuration(rate: Rate.studio))
    }
    #expect(
      "\(try #require(error))" == "urn:probe:sulks: cannot be started: not today, at 48000 Hz")
  }

  @Test func `a port number above 8191 is not accepted`() throws {
    let scratch = try TestSupport.ScratchFolder()
    for number in [0, 8191, 8192, 4_000_000, 4_294_967_295] {
      let bundle = scratch.path("\(number).lv2")
      try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
      let text = """
        @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
        <urn:test:port> a lv2:Plugin ; <http://usefulinc.com/ns/doap#name> "P" ; lv2:binary <p.so> ;
          lv2:port [ a lv2:InputPort, lv2:AudioPort ; lv2:index \(number) ; lv2:symbol "a" ;
            lv2:name "A" ] .
        """
      try Data(text.utf8).write(to: URL(fileURLWithPath: bundle + "/manifest.ttl"))
      let plugin = try #require(try LV2World(bundles: [bundle]).plugins.first)
      #expect((plugin.refusal == .incomplete) == (number > 8191), "\(number)")
      #expect(plugin.ports.isEmpty || number <= 8191)
    }
  }

  @Test func `a bundle that contains a pipe does not block`() throws {
    let scratch = try TestSupport.ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: scratch.path("lv2/pipe.lv2"), withIntermediateDirectories: true)
    try #require(unsafe mkfifo(scratch.path("lv2/pipe.lv2/manifest.ttl"), 0o600) == 0)
    // The command would be started if there were a bundle to test.
    let findings = try LV2Discovery(command: ["/nowhere"], folders: [scratch.path("lv2")])
      .findings()
    #expect(findings.plugins.isEmpty && findings.triedBundleCount == 0)
  }

  @Test func `damaged Turtle and a missing library are refused in a sentence`() throws {
    let scratch = try TestSupport.ScratchFolder()
    let (broken, hollow) = (scratch.path("broken.lv2"), scratch.path("hollow.lv2"))
    for folder in [broken, hollow] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    try Data("@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n<urn:a> a lv2:Plug".utf8)
      .write(to: URL(fileURLWithPath: broken + "/manifest.ttl"))
    for name in ["manifest.ttl", "probe.ttl"] {
      try FileManager.default.copyItem(
        atPath: "\(try ProbePlugins.bundle())/\(name)", toPath: "\(hollow)/\(name)")
    }
    let world = try LV2World(bundles: [broken, hollow, "/nowhere.lv2"])
    #expect(
      world.problems == [.emptyBundle(path: broken), .emptyBundle(path: "/nowhere.lv2")])
    #expect("\(world.problems[0])".hasPrefix("\(broken): .ttl files are missing or damaged"))
    let error = #expect(throws: LV2Error.self) {
      try LV2Unit(
        ProbePlugins.plugin("amp", in: world), in: world,
        configuration: LV2Configuration(rate: Rate.studio))
    }
    #expect("\(try #require(error))".hasPrefix("urn:probe:amp: cannot be loaded: "))
    #expect("\(try #require(error))".contains("No such file"))
  }

  @Test func `a name is found by its end, ignoring the characters between words`() throws {
    let world = try ProbePlugins.world()
    for name in ["urn:probe:amp", "amp", "AMP", "probe-amp", "Probe amp"] {
      #expect(try world.plugin(named: name).uri == "urn:probe:amp")
    }
    #expect(throws: LV2Error.noSuchPlugin("mp", near: ["amp"])) { try world.plugin(named: "mp") }
    #expect(throws: LV2Error.noSuchPlugin("", near: [])) { try world.plugin(named: "") }
    let error = #expect(throws: LV2Error.self) { try world.plugin(named: "nothing") }
    let sentence = "nothing: unknown plug-in (install it, or add its folder to LV2_PATH)"
    #expect("\(try #require(error))" == sentence)
  }

  @Test func `an ambiguous ending is refused`() throws {
    let world = try ProbePlugins.world()
    let amp = try ProbePlugins.plugin("amp", in: world)
    #expect(throws: LV2Error.ambiguous("Probe amp", uris: ["urn:probe:amp", "urn:probe:amp"])) {
      try LV2Plugin.find("Probe amp", among: [amp, amp])
    }
  }

  @Test(arguments: [
    ("lv2:default 5 ; lv2:minimum 3 ; lv2:maximum 1", Float(1)...3, Float(3)),
    ("lv2:default -7 ; lv2:minimum 0 ; lv2:maximum 1", 0...1, 0),
    (#"lv2:default "much" ; lv2:minimum "NaN"^^xsd:float ; lv2:maximum 4"#, 0...4, 0),
    ("lv2:default 8", 0...8, 8), ("lv2:minimum 2", 2...2, 2),
  ])
  func `an inconsistent range is corrected`(
    text: String, range: ClosedRange<Float>, first: Float
  ) throws {
    let scratch = try TestSupport.ScratchFolder()
    let manifest = """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      @prefix doap: <http://usefulinc.com/ns/doap#> .
      @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
      <urn:odd> a lv2:Plugin ; doap:name "Odd" ; lv2:binary <odd.so> ;
        lv2:port [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 0 ; lv2:symbol "out" ; lv2:name "Out" ] ,
          [ a lv2:ControlPort, lv2:InputPort ; lv2:index 1 ; lv2:symbol "odd" ; lv2:name "Odd" ; \(text) ] .
      """
    try FileManager.default.createDirectory(
      atPath: scratch.path("odd.lv2"), withIntermediateDirectories: true)
    try Data(manifest.utf8).write(to: URL(fileURLWithPath: scratch.path("odd.lv2/manifest.ttl")))
    let world = try LV2World(bundles: [scratch.path("odd.lv2")])
    let control = try #require(world.plugin(named: "urn:odd").controls.first)
    #expect(control.range == range && control.initialValue == first)
  }
}
