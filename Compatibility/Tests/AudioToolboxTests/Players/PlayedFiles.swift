// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation
import MusicalTime
import TestSupport

/// Files and waits for the tests of players.
enum PlayedFiles {
  /// A WAVE file of a tone.
  ///
  /// - Parameters:
  ///   - seconds: its length
  ///   - channels: the number of its channels
  ///   - level: the peak of the tone
  ///   - folder: the folder
  /// - Returns: the file
  /// - Throws: an error of the writer
  static func tone(
    seconds: Double = 0.1, channels: Int = 1, level: Float = 0.5, in folder: ScratchFolder
  ) throws -> URL {
    let path = folder.path("tone-\(UUID().uuidString).wav")
    let rate = SampleRate(hertz: 44_100) ?? .hertz44100
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(.wav, .float32), channelCount: channels, rate: rate)
    let count = Int(seconds * 44_100)
    let samples = (0..<count).flatMap { frame in
      Array(repeating: level * Float(sin(Double(frame) * 0.06)), count: channels)
    }
    try writer.write(samples.span)
    try writer.finish()
    return URL(fileURLWithPath: path)
  }

  /// Waits until a condition is met, at most 60 seconds.
  ///
  /// - Parameter condition: the condition
  /// - Returns: true if it was met
  static func wait(until condition: () -> Bool) async -> Bool {
    for _ in 0..<6000 {
      if condition() { return true }
      do { try await Task.sleep(for: .milliseconds(10)) } catch { return false }
    }
    return condition()
  }
}
