// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
package import MusicalTime

/// The change of rate and channels in a converter: of interleaved frames.
package struct FrameConversion {
  /// The number of channels of the output.
  package let channelCount: Int
  private let sourceCount: Int
  private let map: [Int]?
  private let converter: SoundConverter?
  private var ready: [Double] = []
  private var readyStart = 0
  private var (pushed, taken) = (0, 0)
  /// True if no frames follow.
  package private(set) var isFinished = false

  /// Frames that a filter needs before the first, if it is primed with them.
  package static func leadingFrameCount(from source: SampleRate, to target: SampleRate) -> Int {
    guard source != target else { return 0 }
    return 128 * max(1, Int(source.hertz / max(1, target.hertz)))
  }

  /// Creates a conversion.
  ///
  /// - Parameters:
  ///   - source: rate and number of channels of the input.
  ///   - target: rate and number of channels of the output.
  ///   - settings: the settings of the converter.
  /// - Throws: `SoundFileError.impossibleRateChange`, `.converterMissing`.
  package init(
    from source: (rate: SampleRate, channelCount: Int),
    to target: (rate: SampleRate, channelCount: Int), _ settings: ConverterSettings
  ) throws(SoundFileError) {
    (sourceCount, channelCount) = (source.channelCount, target.channelCount)
    map = settings.channelMap.flatMap { map in
      map.count == target.channelCount ? map.map { Int($0) } : nil
    }
    let layouts = Self.layouts(settings, source.channelCount, target.channelCount, map != nil)
    guard source.rate != target.rate || layouts.0 != layouts.1 || settings.dither != .none else {
      converter = nil
      return
    }
    let priming: SoundConverter.Priming =
      switch settings.primeMethod {
      case UInt32(kConverterPrimeMethod_Pre):
        .leading(frameCount: Self.leadingFrameCount(from: source.rate, to: target.rate))
      case UInt32(kConverterPrimeMethod_None): .late
      default: .silence
      }
    converter = try SoundConverter(
      from: SoundConverter.Form(rate: source.rate, layout: layouts.0),
      to: SoundConverter.Form(rate: target.rate, layout: layouts.1), quality: settings.quality,
      priming: priming)
  }

  private static func layouts(
    _ settings: ConverterSettings, _ source: Int, _ target: Int, _ isMapped: Bool
  ) -> (ChannelLayout, ChannelLayout) {
    func layout(_ labels: ChannelLabels?, _ count: Int) -> ChannelLayout {
      guard let own = labels?.layout, own.roles.count == count else {
        return .usual(channelCount: count)
      }
      return own
    }
    let output = layout(settings.outputLayout, target)
    if isMapped { return (output, output) }
    // A single layout is meant for both.
    if source == target, settings.inputLayout == nil || settings.outputLayout == nil {
      let both = layout(settings.inputLayout ?? settings.outputLayout, source)
      return (both, both)
    }
    return (layout(settings.inputLayout, source), output)
  }

  /// True if frames are not changed.
  package var isIdentity: Bool { map == nil && converter == nil }

  /// Adds interleaved frames.
  package mutating func push(_ samples: [Double]) {
    let frames = samples.count / sourceCount
    pushed += frames
    let mapped = map.map { map in Self.mapped(samples, sourceCount, map) } ?? samples
    if let converter {
      converter.push(mapped.span)
    } else {
      dropTaken()
      ready += mapped
    }
  }

  private static func mapped(_ samples: [Double], _ count: Int, _ map: [Int]) -> [Double] {
    stride(from: 0, to: samples.count, by: count).flatMap { start in
      map.map { (0..<count).contains($0) ? samples[start + $0] : 0 }
    }
  }

  private mutating func dropTaken() {
    ready.removeFirst(readyStart)
    readyStart = 0
  }

  /// Ends the stream: the frames that a filter holds back are ready then.
  package mutating func finish() {
    converter?.finish()
    isFinished = true
  }

  /// The number of frames that are ready.
  package var readyFrameCount: Int {
    converter?.readyFrameCount ?? (ready.count - readyStart) / channelCount
  }

  /// Takes interleaved frames that are ready.
  ///
  /// - Parameter limit: the largest number of frames.
  /// - Returns: the samples.
  package mutating func take(_ limit: Int) -> [Double] {
    let frames = min(limit, readyFrameCount)
    taken += frames
    if let converter { return converter.take(Double.self, frameCount: frames) }
    if readyStart == 0, frames * channelCount == ready.count {
      defer { ready = [] }
      return ready
    }
    defer { readyStart += frames * channelCount }
    return Array(ready[readyStart..<readyStart + frames * channelCount])
  }

  /// The frames that are still to be added so that a number of frames is ready; at least 1.
  package func missing(for frameCount: Int) -> Int {
    guard let converter else { return max(1, frameCount - readyFrameCount) }
    return max(1, converter.sourceFrameCount(for: taken + frameCount) - pushed)
  }
}
