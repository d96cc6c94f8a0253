// SPDX-License-Identifier: Apache-2.0
import Testing

/// Programs written as for macOS, compiled unchanged against the modules that are built already.
@Suite struct MacProgramTests {
  private func lines(_ name: String, without line: String? = nil) throws -> [String] {
    try MacProgram(name, without: line).lines()
  }

  private static let runLoops = [
    "types 0 4 -50", "urls true", "bytes true", "data 3 3", "string x", "stopped true 3",
    "timed out true",
    "performed true", "common modes kCFRunLoopCommonModes",
  ]

  @Test func `Run loops with Core Foundation imported, without ambiguous names`() throws {
    #expect(try lines("RunLoops") == Self.runLoops)
  }

  @Test func `Run loops without Core Foundation imported`() throws {
    #expect(try lines("RunLoops", without: "import CoreFoundation") == Self.runLoops)
  }

  @Test func `Packet lists, messages and notifications`() throws {
    #expect(
      try lines("Packets") == [
        "packet 90 3c 64", "size 17", "packet 80 3c 0", "packet f0 7d 1 f7", "complete true",
        "none true", "changed model", "thru 0 true",
      ])
  }

  @Test func `A recorder, players and a sequencer`() throws {
    #expect(
      try lines("Players") == [
        "category true true", "recorded true", "duration true", "played true false",
        "data true true", "playing true", "midi false",
      ])
  }

  @Test func `An engine whose tap measures the level`() throws {
    #expect(
      try lines("MeterTap") == ["running true", "played true", "level -12.0 true", "running false"])
  }

  @Test func `Buffer lists, layouts, packets and times`() throws {
    #expect(
      try lines("Values") == [
        "sum 4.0", "channels 6", "packets [0, 417, 834]", "range 1.001 true",
        "end 1.0343666666666667 -1", "beats 4.0",
      ])
  }

  @Test func `Sound devices, their default and the size of the buffer`() throws {
    #expect(
      try lines("Devices") == [
        "name known", "channels 2 2", "rate 0 48000.0", "quiet 0 1 true", "translated true",
        "default 0 true",
        "notified true", "frames true 0 128", "rates [true, false] 44100.0", "input true",
        "missing false true",
      ])
  }

  @Test func `Clocks by the samples of a device and of an output unit`() throws {
    #expect(
      try lines("Timebases") == [
        "ready 0", "unit 0", "source 0", "device 0", "source 0", "start 0",
        "counted true running 1", "back true", "running 0 true",
      ])
  }
}
