// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import Foundation
internal import MusicalTime

/// A buffer or a part of a file that a player plays.
final class PlayerSegment {
  enum Content {
    /// Interleaved samples.
    case samples([Float])
    /// A file, and the frames that are played.
    case file(SoundFileReader, first: Int, count: Int)
  }

  /// True to begin again at the end.
  var loops: Bool
  /// The frame of the player at which it begins; nil after the segment before.
  let start: Int64?
  let completion: AVAudioNodeCompletionHandler?
  private let content: Content
  private let rate: SampleRate
  private let channelCount: Int
  /// The frame that is read next.
  private var place = 0
  private var conversion: SupplyConversion?

  init(
    _ content: Content, rate: SampleRate, channelCount: Int, start: Int64?, loops: Bool,
    completion: AVAudioNodeCompletionHandler?
  ) {
    (self.content, self.rate, self.channelCount) = (content, rate, channelCount)
    (self.start, self.loops, self.completion) = (start, loops, completion)
  }

  private var length: Int {
    switch content {
    case .samples(let samples): samples.count / channelCount
    case .file(_, _, let count): count
    }
  }

  /// Provides frames of the engine; fewer at the end only.
  func frames(_ count: Int, to target: SampleRate, _ targetCount: Int) -> [Float] {
    if conversion == nil {
      conversion = SupplyConversion(from: rate, channelCount, to: target, targetCount)
    }
    return conversion?.frames(count) { read($0) } ?? []
  }

  private func read(_ limit: Int) -> [Float] {
    guard length > 0 else { return [] }
    var result: [Float] = []
    while result.count < limit * channelCount {
      if place == length {
        guard loops else { break }
        place = 0
      }
      let count = min(limit - result.count / channelCount, length - place)
      let samples = part(place, count)
      if samples.isEmpty { break }
      result += samples
      place += samples.count / channelCount
    }
    return result
  }

  private func part(_ first: Int, _ count: Int) -> [Float] {
    switch content {
    case .samples(let samples):
      return Array(samples[first * channelCount..<(first + count) * channelCount])
    case .file(let reader, let start, _):
      if first == 0, !reader.locate(to: SampleTime(frames: Int64(start))) { return [] }
      return reader.read(frameCount: count)
    }
  }
}
