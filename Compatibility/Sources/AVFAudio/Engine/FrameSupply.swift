// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import MusicalTime

/// A source of interleaved frames at the rate of an engine.
protocol FrameSupply: AnyObject, Sendable {
  /// Provides frames.
  ///
  /// - Parameters:
  ///   - count: The number of frames.
  ///   - start: The number of the first frame, counted by the engine.
  /// - Returns: Samples of `count` frames, or fewer if the rest is silent.
  func frames(_ count: Int, at start: Int64) -> [Float]
}

/// The kernel of a node that provides frames.
struct SupplyKernel: SoundKernel {
  let supply: any FrameSupply
  let channelCount: Int

  func render(_ block: SoundBlock) {
    let samples = supply.frames(block.frameCount, at: block.start.frames)
    for channel in 0..<channelCount {
      var output = block.output(channel)
      for frame in 0..<block.frameCount {
        let place = frame * channelCount + channel
        output[frame] = place < samples.count ? samples[place] : 0
      }
    }
  }
}

/// The way from the frames of a source to those of an engine.
///
/// Frames of the same rate and number of channels stay as they are.
struct SupplyConversion {
  private let converter: SoundConverter?

  /// Creates a conversion; nil if the rate cannot be converted.
  init?(from rate: SampleRate, _ channelCount: Int, to target: SampleRate, _ targetCount: Int) {
    guard rate != target || channelCount != targetCount else {
      converter = nil
      return
    }
    do {
      converter = try SoundConverter(
        from: SoundConverter.Form(rate: rate, layout: .usual(channelCount: channelCount)),
        to: SoundConverter.Form(rate: target, layout: .usual(channelCount: targetCount)))
    } catch {
      return nil
    }
  }

  /// Provides frames of the engine.
  ///
  /// - Parameters:
  ///   - count: The number of frames.
  ///   - source: Provides frames of the source; an empty result is the end.
  /// - Returns: The frames; fewer at the end only.
  func frames(_ count: Int, from source: (Int) -> [Float]) -> [Float] {
    guard let converter else { return source(count) }
    return converter.pull(Float.self, frameCount: count, from: source)
  }
}
