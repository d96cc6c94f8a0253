// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The reports if FluidSynth, which provides reverb and chorus, cannot be used.
///
/// The tests use libraries that simulate this.
@Suite struct MissingEffectsTests {
  private static let sources = ToolRun.packageFolder.appendingPathComponent("Sources").path
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Renders with a FluidSynth library that is built from a source.
  ///
  /// Returns the messages, and true if the file exists.
  private func render(beside source: String, _ flags: String...) throws -> (said: String, Bool) {
    let file = try scratch.write("library.c", Array(source.utf8))
    let build = try ToolRun(
      [
        "-c", #"exec clang -shared -fPIC -std=gnu2x "$@""#, "clang", "-I",
        "\(Self.sources)/CLibraries/include", file, "-o", scratch.path("libfluidsynth.so.3"),
      ], command: "/bin/sh")
    try #require(build.status == 0, "\(build.errors)")
    let song = try scratch.write("song.mid", SongBytes.notes(60, every: 480))
    let font = try scratch.write("font.sf2", TinySoundFont.bytes)
    let output = scratch.path("song.wav")
    let run = try ToolRun(
      ["render", song, "-o", output, "--soundfont", font, "-q", "--overwrite"] + flags,
      environment: ["LD_LIBRARY_PATH": scratch.url.path])
    return (run.errors, run.status == 0 && FileManager.default.fileExists(atPath: output))
  }

  @Test func `if reverb and chorus do not start, the reason is reported and the song is dry`()
    throws
  {
    let source = """
      #include <CFluidSynth.h>
      #define FAIL(type, name, arguments) type name arguments { return (type)0; }
      CFLUIDSYNTH_FUNCTIONS(FAIL)
      """
    let run = try render(beside: source)
    #expect(
      run == (
        "downbeat: fluidsynth: cannot start: unknown reason: playing without reverb"
          + " and chorus\n", true
      ))
    #expect(try render(beside: source, "--no-reverb", "--no-chorus") == ("", true))
  }

  @Test func `a library without the expected functions is not reported as missing`() throws {
    let (said, isThere) = try render(beside: "int nothing;")
    #expect(
      said.contains(
        #/^downbeat: libfluidsynth: cannot be used: .*undefined symbol: \w+: playing without/#),
      "\(said)")
    #expect(isThere)
  }
}
