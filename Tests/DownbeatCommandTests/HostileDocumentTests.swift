// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSONText
import TestSupport
import Testing

@testable import DownbeatCommand
@testable import PlayerControl

/// JSON documents that are small, but could need much time or memory.
@Suite struct HostileDocumentTests {
  private func reason(_ text: String) -> String? {
    do {
      _ = try JSONReader.read(Array(text.utf8))
      return nil
    } catch {
      return error.reason
    }
  }

  /// The processor time of this thread, in seconds.
  private var time: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func `the time for an object with many members is linear`() {
    let start = time
    let members = (0..<60_000).map { #""a\#($0)":0"# }
    #expect(reason("{\(members.joined(separator: ","))}") == nil)
    #expect(reason("{\(members.joined(separator: ",")),\(members[7])}") == #"duplicate name "a7""#)
    // A comparison of each name with all earlier ones would take minutes.
    #expect(time - start < 20)
  }

  @Test func `a document of more values than 262,144 is refused`() {
    let zeros = Array(repeating: "0", count: 262_143).joined(separator: ",")
    #expect(reason("[\(zeros)]") == nil)
    #expect(reason("[\(zeros),0]") == "more than 262144 values")
    #expect(reason("[\(zeros),[") == "more than 262144 values")
  }

  @Test func `numbers beyond the machine's range are kept as digits`() throws {
    for digits in ["1e400", "-1e-400", "9223372036854775808", String(repeating: "9", count: 400)] {
      let value = try JSONReader.read(Array(digits.utf8))
      #expect(value.description == digits && value.wholeNumber == nil)
    }
  }

  @Test func `lines are the same as with split`() {
    for text in ["", "\n", "a", "a\n", "\n\na\n\nb", "a\r\nb\n\n"] {
      let bytes = Array(text.utf8)
      var split = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      // The line feed at the end does not start another line.
      if split.last?.isEmpty == true { split.removeLast() }
      #expect(Array(ByteLines(bytes)) == split, "\(text)")
    }
  }

  @Test func `from a memory with too many songs, the last ones are read`() throws {
    let songs = (0..<20_000).map { #"{"key":"\#($0)","transpose":1}"# }
    let text = #"{"v":1,"type":"play-memory","songs":[\#(songs.joined(separator: ","))]}"#
    let start = time
    let memory = SongMemory(try JSONReader.read(Array(text.utf8)))
    #expect(memory["19999"].transposition == 1 && memory["19500"].transposition == 1)
    #expect(memory["19499"] == .init())
    #expect(time - start < 10)
  }
}
