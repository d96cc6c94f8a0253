// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The way from a file's frames to a client's: channels first where they become fewer, then rate.
struct ClientConversion {
  let rate: SampleRate
  let channelCount: Int
  /// What is ready and has not been taken.
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

  /// Whether the frames are the file's own.
  var isIdentity: Bool { matrix == nil && converter == nil }

  /// The frames that are ready.
  var readyCount: Int { (ready.count - taken) / channelCount }

  /// Takes the file's samples.
  mutating func add(_ samples: [Double]) {
    dropTaken()
    let mixed = matrix?.apply(to: samples) ?? samples
    guard let converter else {
      ready.append(contentsOf: mixed)
      return
    }
    // What is no number would spread over all that a filter touches.
    let numbers = mixed.map { $0.isFinite ? $0 : 0 }
    converter.convert(numbers.span, into: &ready)
  }

  /// Ends the stream.
  mutating func finish() {
    dropTaken()
    converter?.finish(into: &ready)
    isFinished = true
  }

  /// Hands out samples that are ready, up to a number of frames.
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
