// SPDX-License-Identifier: Apache-2.0
import CommandKit
import Foundation
import TestSupport
import Testing

/// Errors in the values of options that a setting has given.
@Suite struct FaultySettingTests {
  private static let song = ToolRun.packageFolder.appendingPathComponent("Songs/canon.mid").path

  @Test(arguments: [
    ("ROUND", "up", "--round up: not a rounding (use floor, ceil, nearest or exact)"),
    ("PPQ", "0", "--ppq 0: not in 1…32767 ticks per quarter note"),
    ("DIVISOR", "0", "--divisor 0: not in 1…65535"),
    ("SUBFRAMES", "70000", "--subframes 70000: not in 1…65535"),
    ("WRAP", "x", "--wrap x: not days, 24h, clamp or none"),
    ("ANCHOR", "x", "--anchor x: not HOSTNS@SAMPLE"),
    ("METER", "7", "--meter 7: not a meter (try 7/8)"),
    ("RATE", "x", "--rate x: x: byte 0: expected a number"),
  ])
  func `the error names the setting, and its status is 78`(
    option: String, value: String, message: String
  ) throws {
    let name = "DOWNBEAT_CONVERT_\(option)"
    let run = try CommandRun(["convert", "1b"], environment: [name: value])
    #expect(run.status == 78)
    #expect(run.errors == "downbeat: $\(name): \(message)\n")
    let typed = try CommandRun(["convert", "1b", "--\(option.lowercased())", value])
    #expect(typed.status == 64)
    #expect(typed.errors == "downbeat: \(message)\n")
  }

  @Test func `if several options conflict, the one that a setting gives is named`() throws {
    let run = try CommandRun(
      ["convert", "1b"],
      environment: ["DOWNBEAT_CONVERT_SONG": Self.song, "DOWNBEAT_CONVERT_PPQ": "480"])
    #expect(run.status == 78)
    #expect(
      run.errors.hasPrefix(
        "downbeat: $DOWNBEAT_CONVERT_PPQ: --ppq: the song or clock already sets it"))
  }

  @Test func `the flag of a text is the option of its error`() {
    let failure = FlagText("--on", "9").failure("the song has 7 tracks")
    #expect(failure.exitStatus == .usage && failure.options == ["--on"])
    #expect("\(failure)" == "--on 9: the song has 7 tracks")
  }
}
