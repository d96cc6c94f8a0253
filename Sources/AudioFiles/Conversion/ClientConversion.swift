// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Converts a file's frames to a client's form: the channels first if their number decreases, then
/// the rate.
struct ClientConversion {
  let rate: SampleRate
  let channelCount: Int
  /// Converted samples; the first `taken` of them were already returned.
  private var ready: [Double] = []
  private var taken = 0
  private(set) var isFinished = false
  private let matrix: ChannelMatrix?
  private let converter: SampleRateConverter?

  init(
    _ client: ClientFormat, rate source: SampleRate, layout: ChannelLayout
  ) throws(SoundFileError) {
    rate = client.rate ?? source
    channelCount = client.channelCount ?? layout.roles.count
    let isRearranged = channelCount != layout.roles.count
    matrix = isRearranged ? ChannelMatrix(layout, targetCount: channelCount) : nil
    if rate == source {
      converter = nil
    } else {
      converter = try SampleRateConverter(
        from: source, to: rate, channelCount: channelCount, quality: client.quality)
    }
  }

  /// True if the client gets the file's own frames.
  var isIdentity: Bool { matrix == nil && converter == nil }

  /// The number of converted frames that can be taken.
  var readyCount: Int { (ready.count - taken) / channelCount }

  /// Adds samples of the file.
  mutating func add(_ samples: [Double]) {
    dropTaken()
    let mixed = matrix?.apply(to: samples) ?? samples
    guard let converter else {
      ready.append(contentsOf: mixed)
      return
    }
    // A NaN or infinite sample would spread over the whole length of the filter.
    let numbers = mixed.map { $0.isFinite ? $0 : 0 }
    converter.convert(numbers.span, into: &ready)
  }

  /// Ends the stream, so that the last frames can be taken.
  mutating func finish() {
    dropTaken()
    converter?.finish(into: &ready)
    isFinished = true
  }

  /// Returns converted samples, up to a number of frames.
  mutating func take(_ frameCount: Int) -> ArraySlice<Double> {
    let end = min(ready.count, taken + frameCount * channelCount)
    defer { taken = end }
    return ready[taken..<end]
  }

  private mutating func dropTaken() {
    ready.removeFirst(taken)
    taken = 0
  }
}
