// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The messages if FFmpeg is not installed, or is of a release that is not supported.
@Suite struct MissingCodecsTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Runs the command so that it searches for FFmpeg's libraries only in the scratch folder.
  private func run(_ words: String...) throws -> ToolRun {
    try ToolRun(words, environment: ["DOWNBEAT_FFMPEG": scratch.url.path], folder: scratch.url)
  }

  /// The head of a Matroska file, which only FFmpeg can read.
  private func writeSound() throws {
    let head: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x8B, 0x42, 0x82, 0x88]
    _ = try scratch.write("a.mka", head + Array("matroska".utf8))
  }

  /// Builds a library that only returns its version.
  private func build(_ major: Int, version: String) throws {
    let source = try scratch.write(
      "library.c", Array("const char *av_version_info(void) { return \"\(version)\"; }".utf8))
    let library = scratch.path("libavformat.so.\(major)")
    let build = try ToolRun(
      ["-c", #"exec clang -shared -fPIC "$@""#, "clang", source, "-o", library],
      command: "/bin/sh")
    try #require(build.status == 0, "\(build.errors)")
  }

  @Test func `without FFmpeg a file that needs it ends with 69 and the package to install`() throws
  {
    try writeSound()
    let run = try run("sound", "info", "a.mka")
    #expect(run.status == 69)
    #expect(run.errors.contains("a.mka: needs FFmpeg, which is not installed ("))
    #expect(run.errors.contains(" ffmpeg"))
  }

  @Test(arguments: [(57, "3.4.8"), (79, "99.1")])
  func `another release is named`(major: Int, version: String) throws {
    try writeSound()
    try build(major, version: version)
    let run = try run("sound", "info", "a.mka")
    #expect(run.status == 69)
    #expect(run.errors.contains("a.mka: needs FFmpeg 4.4 to "))
    #expect(run.errors.contains(", but \(version) is installed ("))
  }

  @Test func `formats that FFmpeg would read and write are marked`() throws {
    let listed = try run("sound", "formats").text.split(separator: "\n")
    let marked = listed.filter { $0.contains("(needs FFmpeg: ") }
    #expect(marked.map { $0.split(separator: " ").first } == ["m4a", "aac", "wv"])
    #expect(listed.contains { $0.hasPrefix("  needs FFmpeg, which is not installed (") })
    let object = try JSONSerialization.jsonObject(
      with: Data(run("sound", "formats", "--json").text.utf8))
    let document = try #require(object as? [String: Any])
    let codecs = try #require(document["codecs"] as? [String: Any])
    #expect(codecs["version"] is NSNull)
    #expect((codecs["reads"] as? [String]) == [])
    let writes = try #require(document["writes"] as? [[String: Any]])
    let missing = writes.filter { $0["available"] as? Bool == false }
    #expect(missing.compactMap { $0["container"] as? String } == ["m4a", "aac", "wv"])
  }
}
