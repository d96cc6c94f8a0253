// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A plug-in that ends the program, crashes or hangs in one of its functions.
@Suite(.enabled(if: PluginFolder.isLilvInstalled, "liblilv-0-0 is not installed"))
struct RoguePluginTests {
  typealias Place = RoguePlugin.Place

  private static let plugin = Result { try RoguePlugin() }

  /// One rendering through the plug-in, and the names of the files that it left.
  private struct Rendering {
    let run: ToolRun
    let files: [String]
  }

  private static func render(
    _ deed: RoguePlugin.Deed?, in place: Place
  ) throws -> Rendering {
    let scratch = try ScratchFolder()
    let cache = try ScratchFolder()
    let run = try ToolRun(
      [
        "render", "Songs/groove.mid", "-s", "Soundfonts/Downbeat.sf2", "-o",
        scratch.path("out.wav"), "--length", "1s", "--quiet", "--effect", "lv2:rogue",
      ], environment: try plugin.get().environment(deed, in: place, cache: cache.path("")))
    return Rendering(run: run, files: try scratch.names())
  }

  @Test func `that behaves changes nothing`() throws {
    let rendering = try Self.render(nil, in: .run)
    #expect(rendering.run.status == 0 && rendering.run.errors.isEmpty, "\(rendering.run.errors)")
    #expect(rendering.files == ["out.wav"])
  }

  @Test(arguments: Place.allCases)
  func `that calls exit 0 does not end the command with status 0 before its file is there`(
    place: Place
  ) throws {
    let rendering = try Self.render(.exit, in: place)
    let (run, files) = (rendering.run, rendering.files)
    #expect(run.errors.contains("ended the program"), "\(run.errors)")
    #expect(run.status == 74 && !run.wasSignalled, "\(run.status) \(run.errors)")
    #expect(place == .start || run.errors.contains(RoguePlugin.uri), "\(run.errors)")
    #expect(files.isEmpty || files == ["out.wav"], "\(files)")
  }

  @Test(arguments: [RoguePlugin.Deed.quickExit, .threadEnd])
  func `that ends the process or its thread past all handlers fails the command`(
    deed: RoguePlugin.Deed
  ) throws {
    let rendering = try Self.render(deed, in: .run)
    #expect(rendering.run.status == 74 && rendering.files.isEmpty, "\(rendering.run.errors)")
    #expect(rendering.run.errors.contains("\(RoguePlugin.uri): this plug-in has ended the program"))
  }

  @Test(arguments: Place.allCases)
  func `that crashes is named, in every function`(place: Place) throws {
    let run = try Self.render(.crash, in: place).run
    #expect(run.wasSignalled && run.status == SIGSEGV, "\(run.status) \(run.errors)")
    #expect(run.errors.contains("\(RoguePlugin.uri): this plug-in has crashed"), "\(run.errors)")
  }

  @Test(arguments: [Place.deactivate, .cleanup])
  func `that crashes when it is freed does not lose the file`(place: Place) throws {
    let rendering = try Self.render(.crash, in: place)
    #expect(rendering.run.wasSignalled && rendering.files == ["out.wav"])
  }

  @Test(arguments: [Place.descriptor, .instantiate, .run])
  func `that returns nothing is refused by name`(place: Place) throws {
    let run = try Self.render(.null, in: place).run
    #expect(!run.wasSignalled && run.status == 1, "\(run.status) \(run.errors)")
    #expect(run.errors.contains(RoguePlugin.uri), "\(run.errors)")
  }

  @Test(arguments: [Place.work, .save])
  func `that has an interface without functions does not crash`(place: Place) throws {
    let run = try Self.render(.null, in: place).run
    #expect(!run.wasSignalled, "\(run.errors)")
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `that hangs is named, and the command ends by the signal without a file`(
    signal: Int32
  ) async throws {
    let scratch = try ScratchFolder()
    let cache = try ScratchFolder()
    let (mark, errors) = (cache.path("mark"), cache.path("errors"))
    let tool = try RunningTool(
      [
        "render", "Songs/groove.mid", "-s", "Soundfonts/Downbeat.sf2", "-o",
        scratch.path("out.wav"), "--effect", "lv2:rogue",
      ],
      environment: try Self.plugin.get().environment(
        .hang, in: .run, mark: mark, cache: cache.path("")),
      folder: ToolRun.packageFolder, errors: errors)
    #expect(await wait { FileManager.default.fileExists(atPath: mark) })
    #expect(try tool.end(by: signal).signal == signal)
    let names = try scratch.names()
    #expect(names.isEmpty, "\(names)")
    let text = String(decoding: try FileContent.data(errors), as: UTF8.self)
    #expect(text.contains("\(RoguePlugin.uri): this plug-in hangs in run"), "\(text)")
  }

  @Test func `that hangs as it is freed keeps the file, and a signal ends the command`()
    async throws
  {
    let scratch = try ScratchFolder()
    let cache = try ScratchFolder()
    let mark = cache.path("mark")
    let tool = try RunningTool(
      [
        "render", "Songs/groove.mid", "-s", "Soundfonts/Downbeat.sf2", "-o",
        scratch.path("out.wav"), "--length", "1s", "--effect", "lv2:rogue",
      ],
      environment: try Self.plugin.get().environment(
        .hang, in: .cleanup, mark: mark, cache: cache.path("")), folder: ToolRun.packageFolder)
    #expect(await wait { FileManager.default.fileExists(atPath: mark) })
    // On a busy machine its own 2 s may be over first.
    let signal = try tool.end(by: SIGTERM).signal
    #expect(signal == SIGTERM || signal == nil)
    let names = try scratch.names()
    #expect(names == ["out.wav"])
  }

  @Test(arguments: [Place.deactivate, .cleanup])
  func `that hangs as it is freed is named after 2 s, and the file is there`(place: Place) throws {
    let rendering = try Self.render(.hang, in: place)
    let (run, files) = (rendering.run, rendering.files)
    #expect(run.status == 3 && !run.wasSignalled, "\(run.status) \(run.errors)")
    #expect(run.errors.contains("\(RoguePlugin.uri): this plug-in hangs in \(place.rawValue)"))
    #expect(files == ["out.wav"])
  }

  @Test(arguments: [RoguePlugin.Deed.crash, .hang])
  func `that crashes or hangs as it is freed does not lose the picture`(
    deed: RoguePlugin.Deed
  ) throws {
    let scratch = try ScratchFolder()
    let cache = try ScratchFolder()
    let run = try ToolRun(
      [
        "plot", "Songs/groove.mid", "--audio", "-s", "Soundfonts/Downbeat.sf2", "-o",
        scratch.path("out.svg"), "--to", "0.2s", "--width", "320", "-g", "0dB", "--quiet",
        "--effect",
        "lv2:rogue",
      ],
      environment: try Self.plugin.get().environment(deed, in: .cleanup, cache: cache.path("")))
    let names = try scratch.names()
    #expect(names == ["out.svg"], "\(run.errors)")
    #expect(run.errors.contains(RoguePlugin.uri), "\(run.errors)")
    if deed == .hang {
      #expect(run.status == 3 && !run.wasSignalled, "\(run.status) \(run.errors)")
    } else {
      #expect(run.wasSignalled && run.status == SIGSEGV, "\(run.status) \(run.errors)")
    }
  }

  @Test func `that hangs while it is played ends by the signal, too`() async throws {
    let cache = try ScratchFolder()
    let (mark, errors) = (cache.path("mark"), cache.path("errors"))
    let tool = try RunningTool(
      [
        "play", "Songs/groove.mid", "-s", "Soundfonts/Downbeat.sf2", "--audio", "null",
        "--effect", "lv2:rogue",
      ],
      environment: try Self.plugin.get().environment(
        .hang, in: .run, mark: mark, cache: cache.path("")),
      folder: ToolRun.packageFolder, errors: errors)
    #expect(await wait { FileManager.default.fileExists(atPath: mark) })
    #expect(try tool.end(by: SIGHUP).signal == SIGHUP)
    let text = String(decoding: try FileContent.data(errors), as: UTF8.self)
    #expect(text.contains("\(RoguePlugin.uri): this plug-in hangs in run"), "\(text)")
  }

  @Test(arguments: [Place.start, .descriptor, .instantiate, .run])
  func `that calls exit while it is tested is refused, and the others are found`(
    place: Place
  ) throws {
    let cache = try ScratchFolder()
    let plugin = try Self.plugin.get()
    var environment = plugin.environment(.exit, in: place, isTried: true, cache: cache.path(""))
    if PluginFolder.isMDAInstalled {
      try FileManager.default.createSymbolicLink(
        atPath: cache.path("mda.lv2"), withDestinationPath: PluginFolder.mda)
      environment["LV2_PATH"] = plugin.folder + ":" + cache.path("")
    }
    let refused = try ToolRun(["lv2", "list", "--refused"], environment: environment)
    #expect(refused.status == 0, "\(refused.errors)")
    if place == .run {
      // It runs eight times there, and ends the program in its 101st block.
      #expect(refused.text.isEmpty)
    } else {
      #expect(refused.text.contains("it ended the program"), "\(refused.text)")
    }
    let found = try ToolRun(["lv2", "list"], environment: environment)
    #expect(!PluginFolder.isMDAInstalled || found.text.contains("mda-"), "\(found.errors)")
  }

  @Test(arguments: [
    (RoguePlugin.Deed.exit, Place.run), (.exit, .cleanup), (.quickExit, .run), (.exit, .work),
    (.null, .instantiate), (.nan, .run),
  ])
  func `is never reported as free of problems`(deed: RoguePlugin.Deed, place: Place) throws {
    let cache = try ScratchFolder()
    let plugin = try Self.plugin.get()
    // Found while it behaves, then checked.
    let found = try ToolRun(
      ["lv2", "list"], environment: plugin.environment(nil, in: place, cache: cache.path("")))
    #expect(found.text.contains("rogue"), "\(found.errors)")
    let run = try ToolRun(
      ["lv2", "check", "rogue"],
      environment: plugin.environment(deed, in: place, isTried: true, cache: cache.path("")))
    #expect(run.status == (deed == .nan ? 3 : 1), "\(run.text) \(run.errors)")
    #expect(!run.text.contains("no problems found"), "\(run.text)")
    #expect(deed != .exit || run.text.contains("it ended the program"), "\(run.text)")
  }
}
