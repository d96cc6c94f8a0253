// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Reads linear time code from one of several channels, the first in which a label is found.
public struct LTCListener: Sendable {
  /// Samples per second of a channel.
  public let sampleRate: SampleRate
  /// The number of channels, interleaved in a frame of sound.
  public let channelCount: Int
  /// The channel that is read, from 0; nil until time code is found.
  public private(set) var channel: Int?
  /// The number of sample frames that were read.
  public private(set) var position: Int64 = 0
  /// The number of time code frames that were read.
  public private(set) var frameCount = 0
  /// The number of time code frames that are known to be missing.
  public private(set) var missedCount = 0
  private var peak: Float = 0
  private var decoders: [(channel: Int, decoder: LTCDecoder)]
  private var readings: [LTCReading] = []

  /// Creates a listener.
  ///
  /// - Parameters:
  ///   - sampleRate: Samples per second of a channel.
  ///   - channelCount: The number of channels, interleaved in a frame of sound.
  ///   - channels: The channels that may contain time code, each below the count; nil (the default)
  ///     for all, at most 64.
  ///   - counting: The frame rate by which labels count; nil (the default) to detect it.
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

  /// The number of time code frames that no other frame agreed with.
  public var doubtedCount: Int { decoders.first.map(\.decoder.doubted) ?? 0 }

  /// The frame rate by which labels count; nil until it is known.
  public var counting: FrameRate? { decoders.first?.decoder.counting }

  /// Returns the largest sample since the last call, as a factor; of all channels until one is
  /// chosen.
  public mutating func takePeak() -> Float {
    defer { peak = 0 }
    return peak
  }

  /// Reads a frame of sound.
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
