// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Downbeat

@Suite struct QuietEndTests {
  /// Passes blocks of one channel and returns the samples that were kept.
  private func taken(_ blocks: [[Float]], from start: Int64?, channels: Int = 1) throws -> [Float] {
    var quiet = QuietEnd(from: start, channelCount: channels)
    var samples: [Float] = []
    var end: Int64 = 0
    for block in blocks {
      end += Int64(block.count / channels)
      let goesOn = try quiet.pass(block.span, upTo: end) { part in
        for index in 0..<part.count { samples.append(part[index]) }
        return true
      }
      #expect(goesOn)
    }
    #expect(quiet.heldFrameCount == (blocks.joined().count - samples.count) / channels)
    return samples
  }

  @Test func `quiet samples after the song are left out`() throws {
    let blocks: [[Float]] = [[1, 0.1], [0.01, 0.0004], [0.0003, 0.0001], [0, 0]]
    #expect(try taken(blocks, from: 1) == [1, 0.1, 0.01, 0.0004])
  }

  @Test func `quiet samples before louder ones are kept`() throws {
    let blocks: [[Float]] = [[1, 0], [0, 0], [0, -0.5], [0, 0]]
    #expect(try taken(blocks, from: 0) == [1, 0, 0, 0, 0, -0.5])
  }

  @Test func `the song itself is never shortened, however quiet it is`() throws {
    #expect(try taken([[0, 0, 0], [0, 0, 0]], from: 4) == [0, 0, 0, 0])
    #expect(try taken([[0, 0, 0], [0, 0, 0]], from: nil).count == 6)
  }

  @Test func `a frame of several channels stays whole`() throws {
    #expect(try taken([[0, 0, 0.5, 0, 0, 0]], from: 0, channels: 2) == [0, 0, 0.5, 0])
  }

  @Test func `stems end together, by the level of their sum`() throws {
    let loud: [Float] = [0.0002, 0, 0.0002, 0]
    let quiet: [Float] = [0.0002, 0, -0.0002, 0]
    #expect(try taken([loud + quiet], from: 0, channels: 4) == loud)
  }
}
