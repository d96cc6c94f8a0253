// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import MusicalTime

/// The conversion from the frames of a source to those of an engine.
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
