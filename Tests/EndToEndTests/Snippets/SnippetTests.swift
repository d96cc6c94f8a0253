// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Every piece of Swift in the README and in the documentation of the modules: compiled against the
/// modules as a client would, and run where it needs neither ports nor a device.
@Suite struct SnippetTests {
  private static let folder = ToolRun.packageFolder

  /// The README, the page of the library, and every page of every module.
  private static func documents() throws -> [String] {
    let pages = try FileManager.default.subpathsOfDirectory(
      atPath: folder.appendingPathComponent("Sources").path)
    return ["README.md", "Documentation/Library.md"]
      + pages.filter { $0.hasSuffix(".md") && $0.contains(".docc/") }.sorted()
      .map { "Sources/\($0)" }
  }

  /// The modules that are products.
  private static func modules() throws -> [String] {
    let manifest = try String(
      contentsOf: folder.appendingPathComponent("Package.swift"), encoding: .utf8)
    return manifest.matches(of: #/\.library\(name: "(\w+)"/#).map { String($0.1) }
      .filter { FileManager.default.fileExists(atPath: "\(folder.path)/Sources/\($0)/\($0).docc") }
  }

  /// One program of them all: with a number, it runs that one.
  private static func program(_ snippets: [Snippet]) throws -> String {
    let imports = try modules().map { "import \($0)" } + ["import Glibc"]
    let functions = snippets.indices.map { snippets[$0].function(named: "snippet\($0)") }
    let cases = snippets.indices.map { "case \($0): try await snippet\($0)()" }
    return
      (imports + functions
      + ["switch Int(CommandLine.arguments[1]) {"] + cases + ["default: exit(64)", "}"])
      .joined(separator: "\n")
  }

  /// What the pieces find beside them: a short song, a soundfont and sounds, and ALSA's device
  /// without hardware as the default one.
  private static func furnish(_ scratch: borrowing ScratchFolder) throws {
    let song = SongBytes.file([(0, [0x90, 60, 100]), (48, [0x80, 60, 64])])
    for name in ["song.mid", "Songs/rag.mid"] {
      let url = scratch.url.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(song).write(to: url)
    }
    let font = folder.appendingPathComponent("Soundfonts/Downbeat.sf2")
    try FileManager.default.createSymbolicLink(
      at: scratch.url.appendingPathComponent("font.sf2"), withDestinationURL: font)
    try FileManager.default.createSymbolicLink(
      at: scratch.url.appendingPathComponent("Soundfonts"),
      withDestinationURL: font.deletingLastPathComponent())
    _ = try scratch.write("kick.wav", WaveBytes.click(frames: 480))
    _ = try scratch.write("asound.conf", Array("pcm.!default { type null }\n".utf8))
  }

  @Test func `every piece compiles, and does what it says`() throws {
    let snippets = try Self.documents().flatMap(Snippet.all(in:))
    #expect(snippets.count > 15)
    let scratch = try ScratchFolder()
    try Self.furnish(scratch)
    let source = try scratch.write("main.swift", Array(try Self.program(snippets).utf8))
    let program = scratch.path("snippets")
    let others = ["LV2Units", "SoundStreaming", "SpatialResponses", "TimeStretching"]
    try BuiltModules(of: "downbeat", and: others)
      .compile([source], to: program, ["-swift-version", "6", "-suppress-warnings"])
    for (index, snippet) in snippets.enumerated() where snippet.isRun {
      let run = try ToolRun(
        ["\(index)"],
        environment: [
          "ALSA_CONFIG_PATH": scratch.path("asound.conf"), "XDG_RUNTIME_DIR": scratch.url.path,
        ],
        command: program, folder: scratch.url, limit: 60)
      #expect(run.status == 0, "\(snippet.document):\(snippet.line): \(run.errors)")
    }
  }
}
