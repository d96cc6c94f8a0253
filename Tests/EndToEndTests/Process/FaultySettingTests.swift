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
    ("RATE", "x", "--rate x: not a sample rate (try 48000 or 44.1k)"),
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

  @Test(arguments: [
    ("loud", "gain 'loud': not decibels (try -6dB)", "--on loud: not decibels (try -6dB)"),
    ("12", "--on 12: must be 8 or 16", "--on 12: must be 8 or 16"),
    ("B", "B: byte 0: 'B' is not a time (try 1:30)", "--on B: not a time (try 1:30)"),
    ("12", "12 is ambiguous (write 12s or 12b)", "--on 12: ambiguous (write 12s or 12b)"),
    ("x 1.5", "x '1.5': not whole", "--on 'x 1.5': not whole"),
    ("x", "byte 0: expected a number", "--on x: expected a number"),
    ("9", "the song has 9 tracks: too many", "--on 9: the song has 9 tracks: too many"),
    ("", "not a time", "--on '': not a time"),
  ])
  func `an error names its option and value once`(value: String, reason: String, sentence: String) {
    #expect(RefusedValue(value, of: "--on", because: reason).sentence == sentence)
  }

  @Test func `the flag of a text is the option of its error`() {
    let failure = FlagText("--on", "9").failure("the song has 7 tracks")
    #expect(failure.exitStatus == .usage && failure.options == ["--on"])
    #expect("\(failure)" == "--on 9: the song has 7 tracks")
  }
}
