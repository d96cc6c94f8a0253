// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `downbeat lv2 check`: what plug-ins do while they render, and should not.
@Suite(.enabled(if: PluginFolder.isLilvInstalled, "liblilv-0-0 is not installed"))
struct LV2CheckTests {
  /// Returns the problems of a test plug-in that runs a statement before each block.
  private static func problems(_ rendering: String) throws -> [[String: Any]] {
    let scratch = try ScratchFolder()
    let folder = try PluginFolder.make(rendering: rendering, in: scratch)
    let run = try ToolRun(
      ["lv2", "check", "bad-one", "--json"],
      environment: PluginFolder.environment([folder], cache: scratch.path("cache")))
    #expect(run.status == 0 || run.status == 3, "\(run.errors)")
    let document = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
    let plugins = try #require(document?["plugins"] as? [[String: Any]])
    let found = try #require(plugins.first?["problems"] as? [[String: Any]])
    #expect((run.status == 3) == !found.isEmpty)
    return found
  }

  /// The sentences of what was found, but for how long a block took: that depends on what else the
  /// machine does.
  private static func texts(_ rendering: String) throws -> [String] {
    try problems(rendering).filter { $0["kind"] as? String != "slow-block" }
      .compactMap { $0["text"] as? String }
  }

  // Two instances render 1500 blocks, one for each channel.
  @Test(arguments: [
    (
      "free(malloc(100))",
      "allocates memory while rendering: 3000 times in 1500 blocks (first in block 1)"
    ),
    (
      "static void *m; if (n % 300 == 10) m = realloc(m, 8 * n)",
      "allocates memory while rendering: 10 times in 10 blocks (first in block 6)"
    ),
    (
      "pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock)",
      "takes a lock while rendering: 3000 times in 1500 blocks (first in block 1)"
    ),
    (
      "if (n % 3000 == 10) usleep(10)",
      "waits while rendering: 1 time in 1 block (first in block 6)"
    ),
  ])
  func `what is called on the render thread is counted, with the first block`(
    rendering: String, text: String
  ) throws {
    #expect(try Self.texts(rendering) == [text])
  }

  @Test func `freed memory is reported separately`() throws {
    let keeps = "static void *m[6000]; if (!n) for (int k = 0; k < 6000; k++) m[k] = malloc(8);"
    let texts = try Self.texts(keeps + " if (n > 1 && n < 102) free(m[n])")
    #expect(
      texts.contains("allocates memory while rendering: 6000 times in 1 block (first in block 1)"))
    #expect(
      texts.contains("frees memory while rendering: 100 times in 50 blocks (first in block 2)"))
  }

  @Test func `faults while a control moves are reported separately, with the control`() throws {
    let moved = "static float last[2] = {0.5, 0.5}; if (*ports[2] != last[n % 2]) {"
    let found = try Self.problems(moved + " last[n % 2] = *ports[2]; free(malloc(64)); }")
    #expect(found.count { $0["kind"] as? String != "slow-block" } == 1)
    let text = found.first?["text"] as? String ?? ""
    #expect(text.hasPrefix("allocates memory when a control moves: "), "\(text)")
    #expect(text.hasSuffix("(first: size)") && found.first?["control"] as? String == "size")
    // It is moved 188 times, and each goes to both instances.
    #expect(found.first?["count"] as? Int == 376 && found.first?["blocks"] as? Int == 188)
  }

  @Test func `a block that renders slower than real time is reported with its time`() throws {
    let busy = "double start = work(); while (n % 3000 == 1400 && work() - start < 3e-3)"
    let found = try Self.problems(busy + " {}")
    let text = try #require(found.first?["text"] as? String)
    // It works for 3 ms of its processor's time, however long that takes.
    #expect(text.contains(#/^took ([3-9]|[1-9][0-9]+)\.[0-9]+ ms/#), "\(text)")
    #expect(text.contains(" ms to render 64 frames (1.33 ms of sound) ("), "\(text)")
    #expect(found.count == 1 && found.first?["kind"] as? String == "slow-block")
  }

  @Test func `the time of one that sleeps includes the sleep, not only processor time`()
    throws
  {
    let found = try Self.problems("if (n % 3000 == 2000) usleep(2000)")
    let texts = found.compactMap { $0["text"] as? String }
    #expect(texts.first == "waits while rendering: 1 time in 1 block (first in block 1001)")
    #expect(texts.count == 2 && texts.last?.contains("(1.33 ms of sound) (") == true, "\(texts)")
    #expect(found.last?["kind"] as? String == "slow-block")
  }

  @Test func `a correct plug-in passes`() throws {
    #expect(try Self.texts("(void)lock").isEmpty)
  }

  @Test func `one that crashes when a control moves is reported with the control`() throws {
    let scratch = try ScratchFolder()
    let folder = try PluginFolder.make(
      rendering: "if (*ports[2] > 0.9) *(volatile int *)8 = 1", in: scratch)
    let run = try ToolRun(
      ["lv2", "check", "bad-one"],
      environment: PluginFolder.environment([folder], cache: scratch.path("cache")))
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.text.contains("Segmentation fault, after size moved"), "\(run.text)")
  }

  @Test(.enabled(if: isCalfInstalled, "calf-plugins is not installed"))
  func `faults of installed plug-ins are reported: a limiter allocates, a synthesiser locks`()
    throws
  {
    let scratch = try ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: scratch.path("lv2"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("lv2/calf.lv2"), withDestinationPath: Self.calf)
    let run = try ToolRun(
      ["lv2", "check", "calf-limiter", "calf-fluidsynth", "calf-mono-compressor"],
      environment: PluginFolder.environment([scratch.path("lv2")], cache: scratch.path("cache")))
    let lines = run.text.split(separator: "\n")
    #expect(run.status == 3 && lines.count == 3, "\(run.errors)")
    let moved = #/allocates memory when a control moves: .* \(first: oversampling\)/#
    #expect(lines.first?.contains(moved) == true, "\(run.text)")
    let locks = #/takes a lock while rendering: [0-9]+ times in 1500 blocks \(first in block 1\)/#
    #expect(lines.count > 1 && lines[1].contains(locks), "\(run.text)")
  }

  private static let calf = "/usr/lib/lv2/calf.lv2"
  private static let isCalfInstalled = FileManager.default.fileExists(atPath: calf)

  @Test func `one that is too slow during a song is named once`() throws {
    let scratch = try ScratchFolder()
    let folder = try PluginFolder.make(
      rendering: "if (n > 100 && n < 140) usleep(2000)", in: scratch)
    let run = try ToolRun(
      [
        "play", "Songs/groove.mid", "-s", "Soundfonts/Downbeat.sf2", "--audio", "null", "--to",
        "2s",
        "--effect", "lv2:bad-one",
      ], environment: PluginFolder.environment([folder], cache: scratch.path("cache")))
    let told = run.errors.split(separator: "\n").filter { $0.contains("urn:test:bad-one") }
    #expect(run.status == 0 && told.count == 1, "\(run.errors)")
    let sentence =
      #/urn:test:bad-one: took [0-9.]+ ms to render 64 frames \(1\.[0-9]+ ms of sound\)/#
    #expect(told.first?.contains(sentence) == true, "\(run.errors)")
  }

  /// All plug-ins of this machine, each 2 s four times: some minutes for a few hundred.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil, "it is a longer form"))
  func `every plug-in renders, or is refused by a sentence`() throws {
    let scratch = try ScratchFolder()
    let environment = PluginFolder.environment(["/usr/lib/lv2"], cache: scratch.path("cache"))
    func plugins(_ words: [String]) throws -> [[String: Any]] {
      let run = try ToolRun(["lv2"] + words + ["--json"], environment: environment)
      let document = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
      return try #require(document?["plugins"] as? [[String: Any]], "\(run.errors)")
    }
    let refused = try plugins(["list", "--refused"])
    #expect(refused.allSatisfy { ($0["refused"] as? String)?.isEmpty == false })
    let checked = try plugins(["check"])
    for plugin in checked where plugin["usable"] as? Bool == true {
      #expect(plugin["load"] is Double || plugin["load"] is Int, "\(plugin)")
    }
    let unusable = checked.filter { $0["usable"] as? Bool != true }
    for plugin in unusable { #expect((plugin["faults"] as? [String])?.isEmpty == false) }
    print("\(checked.count - unusable.count) render, \(refused.count) refused,", unusable)
  }
}
