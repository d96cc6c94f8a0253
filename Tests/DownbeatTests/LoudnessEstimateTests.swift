// SPDX-License-Identifier: Apache-2.0
import Downbeat
import Foundation
import MusicSequences
import TestSupport
import Testing

/// The estimated loudness of songs with a few notes.
///
/// `SongTests` renders whole songs.
@Suite struct LoudnessEstimateTests {
  private static let organ: UInt8 = 19
  private static let piano: UInt8 = 0

  /// Consecutive notes of four seconds, at full volume unless another volume is given.
  private func song(
    _ velocities: [UInt8], keys: [UInt8] = [60], program: UInt8 = organ, ticks: Int = 3840,
    settings: [[UInt8]] = [[0xB0, 7, 127]]
  ) throws -> MusicSequence {
    var events: [(delta: Int, bytes: [UInt8])] = [(0, [0xC0, program])] + settings.map { (0, $0) }
    for velocity in velocities {
      for status in [0x90, 0x80] as [UInt8] {
        for (index, key) in keys.enumerated() {
          events.append((status == 0x80 && index == 0 ? ticks : 0, [status, key, velocity]))
        }
      }
    }
    return try SMFReader().read(SongBytes.file(events)).sequences[0]
  }

  private func loudness(_ sequences: MusicSequence...) throws -> Double {
    try #require(try LoudnessEstimate(sequences).integrated)
  }

  @Test func `velocity, volume and expression each count by their squares`() throws {
    let full = try loudness(song([127]))
    #expect(abs(full - -20.0) < 0.01)
    #expect(abs(try loudness(song([64])) - full - 40 * log10(64.0 / 127)) < 0.01)
    for controller in [7, 11] as [UInt8] {
      let soft = try song([127], settings: [[0xB0, 7, 127], [0xB0, controller, 64]])
      #expect(abs(try loudness(soft) - full - 40 * log10(64.0 / 127)) < 0.01)
    }
  }

  @Test func `notes that sound together add their powers`() throws {
    let chord = try loudness(song([100], keys: [60, 64, 67, 72]))
    #expect(abs(chord - (try loudness(song([100]))) - 10 * log10(4)) < 0.01)
  }

  @Test func `a string fades and an organ does not, and more at a slower tempo`() throws {
    let notes = [UInt8](repeating: 100, count: 16)
    let struck = try loudness(song(notes, program: Self.piano, ticks: 192))
    #expect(struck < (try loudness(song(notes, ticks: 192))) - 0.5)
    // Notes of 0.8 s instead of 0.2 s.
    let settings: [[UInt8]] = [[0xB0, 7, 127], [0xFF, 0x51, 3, 0x1E, 0x84, 0x80]]
    let slow = try song(notes, program: Self.piano, ticks: 192, settings: settings)
    #expect(try loudness(slow) < struck - 2)
  }

  @Test func `notes that are much softer than the rest are not counted`() throws {
    let loud = try loudness(song([100]))
    #expect(abs(try loudness(song([100, 20])) - loud) < 1)
    #expect(abs(try loudness(song([100]), song([20])) - loud) < 1)
    #expect(try loudness(song([100]), song([80])) < loud - 1)
  }

  @Test func `the gain is the difference to the target, within limits`() throws {
    let estimate = try LoudnessEstimate([song([127])])
    #expect(abs(20 * log10(Double(estimate.gain(to: -16))) - 4) < 0.001)
    #expect(estimate.gain(to: -60) == Float(pow(10, -12.0 / 20)))
    #expect(estimate.gain(to: 60) == Float(pow(10, 30.0 / 20)))
    let silence = try LoudnessEstimate([song([])])
    #expect(silence.integrated == nil)
    #expect(silence.gain(to: -16) == 1)
  }
}
