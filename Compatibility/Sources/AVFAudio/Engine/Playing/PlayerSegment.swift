// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import MusicalTime

/// A buffer or a part of a file that a player plays.
final class PlayerSegment {
  enum Content {
    /// Interleaved samples.
    case samples([Float])
    /// A file, and the frames that are played.
    case file(SoundFileReader, first: Int, count: Int)
  }

  /// The number of the segment, from 0.
  var number: Int64 = 0
  /// True to begin again at the end.
  var loops: Bool
  /// The frame of the player at which it begins; nil after the segment before.
  let start: Int64?
  let completion: PlayerCompletion?
  /// True if no chunk was made.
  var isUntouched: Bool { made == 0 }
  /// True if the last chunk was made.
  private(set) var isExhausted = false
  private let content: Content
  private let rate: SampleRate
  private let channelCount: Int
  /// The frame that is read next.
  private var place = 0
  /// The frames of the engine that were made.
  private var made = 0
  private var conversion: SupplyConversion?
  /// True if the file has not been moved to `place`.
  private var isMoved = true

  /// The frames of a chunk that is converted or read from a file.
  private static let chunkFrames = 16_384

  init(
    _ content: Content, rate: SampleRate, channelCount: Int, start: Int64?, loops: Bool,
    completion: PlayerCompletion?
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

  /// Begins again at a frame of the engine, counted from the start of the segment.
  func rewind(to frame: Int, of target: SampleRate) {
    let (numerator, denominator) = (Double(rate.hertz), Double(target.hertz))
    let source = rate == target ? frame : Int(Double(frame) * numerator / denominator)
    // A loop is made of one chunk.
    (made, place) = loops ? (0, 0) : (frame, min(source, length))
    (conversion, isExhausted, isMoved) = (nil, false, true)
  }

  /// Makes the next chunk in the format of an engine; nil after the last.
  func next(_ target: SampleRate, _ targetCount: Int) -> PlayerChunk? {
    guard !isExhausted else { return nil }
    if conversion == nil {
      conversion = SupplyConversion(from: rate, channelCount, to: target, targetCount)
    }
    let isWhole = loops || isPlain(target, targetCount)
    var samples: [Float] = []
    while isWhole || samples.isEmpty, !isExhausted {
      let part = conversion?.frames(Self.chunkFrames) { read($0) } ?? []
      samples += part
      isExhausted = part.count < Self.chunkFrames * targetCount
    }
    if isExhausted { conversion = nil }
    defer { made += samples.count / targetCount }
    return PlayerChunk(
      segment: number, start: made, samples: samples, channelCount: targetCount,
      isLast: isExhausted)
  }

  /// True for samples that are not converted.
  private func isPlain(_ target: SampleRate, _ targetCount: Int) -> Bool {
    guard case .samples = content else { return false }
    return rate == target && channelCount == targetCount
  }

  private func read(_ limit: Int) -> [Float] {
    let count = min(limit, length - place)
    guard count > 0 else { return [] }
    let samples = part(place, count)
    place += samples.count / channelCount
    return samples
  }

  private func part(_ first: Int, _ count: Int) -> [Float] {
    switch content {
    case .samples(let samples):
      return Array(samples[first * channelCount..<(first + count) * channelCount])
    case .file(let reader, let start, _):
      if isMoved, !reader.locate(to: SampleTime(frames: Int64(start + first))) { return [] }
      isMoved = false
      return reader.read(frameCount: count)
    }
  }
}

/// A handler of a segment, and the moment at which it is called.
struct PlayerCompletion: Sendable {
  let handler: AVAudioNodeCompletionHandler
  /// True to wait until the sound is audible.
  let waitsForSound: Bool
}
