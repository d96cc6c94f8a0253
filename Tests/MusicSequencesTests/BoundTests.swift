// SPDX-License-Identifier: Apache-2.0
import Foundation
import MusicSequences
import TestSupport
import Testing

/// The reader's memory against what hostile files claim: the peak of a process that only reads.
@Suite struct BoundTests {
  @Test func `a hundred thousand empty tracks stay within the bound`() async {
    await #expect(processExitsWith: .success) {
      BoundTests.expectBounded(BoundTests.manyTracks(format: 1))
    }
  }

  @Test func `a hundred thousand empty patterns stay within the bound`() async {
    await #expect(processExitsWith: .success) {
      BoundTests.expectBounded(BoundTests.manyTracks(format: 2))
    }
  }

  @Test func `events of two bytes each stay within the bound`() async {
    await #expect(processExitsWith: .success) {
      var track: [UInt8] = [0, 0xC0, 0]
      for program in 0..<30_000 { track += [0, UInt8(program & 0x7F)] }
      BoundTests.expectBounded(SampleFiles.file(track: track, ending: true))
    }
  }

  @Test func `empty texts stay within the bound`() async {
    await #expect(processExitsWith: .success) {
      var track: [UInt8] = []
      for _ in 0..<16_000 { track += [0, 0xFF, 1, 0] }
      BoundTests.expectBounded(SampleFiles.file(track: track, ending: true))
    }
  }

  @Test func `a length of 256 MB in a short file allocates no memory`() async {
    await #expect(processExitsWith: .success) {
      BoundTests.expectBounded(
        SampleFiles.file(track: [0, 0xFF, 1, 0xFF, 0xFF, 0xFF, 0x7F, 65, 66]))
    }
  }

  fileprivate static func manyTracks(format: UInt8) -> [UInt8] {
    var bytes: [UInt8] = [0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, format, 0, 1, 0, 96]
    for _ in 0..<100_000 { bytes += [0x4D, 0x54, 0x72, 0x6B, 0, 0, 0, 0] }
    return bytes
  }

  /// Ends the process with a failure if reading uses more than 1 MiB plus 64 bytes for each byte.
  fileprivate static func expectBounded(_ bytes: [UInt8]) {
    do {
      _ = try SMFReader().read(SampleFiles.runningStatus)
      let before = try PeakMemory.bytes()
      let file = try SMFReader().read(bytes)
      let used = try PeakMemory.bytes() - before
      precondition(used <= 64 * bytes.count + 1 << 20, "\(used) bytes for \(bytes.count)")
      precondition(file.repairs.count <= 1000)
    } catch {
      fatalError("\(error)")
    }
  }
}
