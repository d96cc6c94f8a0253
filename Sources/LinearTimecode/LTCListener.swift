// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Decodes linear time code from several channels of sound, using the first channel in which a
/// label is found.
public struct LTCListener: Sendable {
  /// The sample rate in hertz.
  public let sampleRate: SampleRate
  /// The number of interleaved channels of the sound.
  public let channelCount: Int
  /// The index of the channel that is decoded, from 0; nil until time code is found.
  public private(set) var channel: Int?
  /// The number of sample frames that were decoded.
  public private(set) var position: Int64 = 0
  /// The number of time code frames that were found.
  public private(set) var frameCount = 0
  /// The number of time code frames that are known to be missing.
  public private(set) var missedCount = 0
  private var peak: Float = 0
  private var decoders: [(channel: Int, decoder: LTCDecoder)]
  private var readings: [LTCReading] = []

  /// Creates a decoder for several channels.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate in hertz.
  ///   - channelCount: The number of interleaved channels of the sound.
  ///   - channels: The indices of the channels that may contain time code, each below
  ///     `channelCount`; nil (the default) for all, at most 64.
  ///   - counting: The frame rate of the labels; nil (the default) to detect it.
  public init(
    sampleRate: SampleRate, channelCount: Int, among channels: [Int]? = nil,
    counting: FrameRate? = nil
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    decoders = (channels ?? Array(0..<min(64, channelCount))).map {
      ($0, LTCDecoder(sampleRate: sampleRate, rate: counting))
    }
  }

  /// The number of complete time code frames that were not reported, because another frame did not
  /// confirm them.
  public var doubtedCount: Int { decoders.first.map(\.decoder.doubted) ?? 0 }

  /// The frame rate of the labels; nil until it is known.
  public var counting: FrameRate? { decoders.first?.decoder.counting }

  /// Returns the largest absolute sample since the last call, relative to full scale.
  ///
  /// All channels are included until the channel with time code is known.
  public mutating func takePeak() -> Float {
    defer { peak = 0 }
    return peak
  }

  /// Decodes one frame of sound: one sample of each channel.
  ///
  /// - Parameters:
  ///   - frame: The samples of all channels.
  ///   - body: Called for each frame of time code that is found.
  /// - Precondition: The number of samples equals `channelCount`.
  public mutating func take(_ frame: Span<Float>, _ body: (LTCReading) throws -> Void) rethrows {
    readings.removeAll(keepingCapacity: true)
    var index = 0
    while index < decoders.count {
      let sample = frame[decoders[index].channel]
      peak = max(peak, abs(sample))
      decoders[index].decoder.read(sample, into: &readings)
      if !readings.isEmpty, channel == nil {
        channel = decoders[index].channel
        decoders = [decoders[index]]
      }
      index += 1
    }
    position += 1
    for reading in readings {
      frameCount += 1
      if case .misses(let count) = reading.continuity { missedCount += count }
      try body(reading)
    }
  }
}
