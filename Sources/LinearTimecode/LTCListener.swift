// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Hears linear timecode in one of several channels: the first in which a label is told.
public struct LTCListener: Sendable {
  /// Samples a second of a channel.
  public let sampleRate: SampleRate
  /// The samples in a frame.
  public let channelCount: Int
  /// The channel that is read, from 0; nil while none has any timecode.
  public private(set) var channel: Int?
  /// Sample frames that were heard.
  public private(set) var position: Int64 = 0
  /// Frames of timecode that were read.
  public private(set) var frameCount = 0
  /// Frames of timecode that are known to be missing.
  public private(set) var missedCount = 0
  private var peak: Float = 0
  private var decoders: [(channel: Int, decoder: LTCDecoder)]
  private var readings: [LTCReading] = []

  /// Creates a listener.
  ///
  /// - Parameters:
  ///   - sampleRate: Samples a second of a channel.
  ///   - channelCount: The samples in a frame.
  ///   - channels: Those that may have timecode, each below the count; nil for all, at most 64.
  ///   - counting: How labels count, where that is known.
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

  /// Frames of timecode that no other agreed with.
  public var doubtedCount: Int { decoders.first.map(\.decoder.doubted) ?? 0 }

  /// How labels count, as far as that is known.
  public var counting: FrameRate? { decoders.first?.decoder.counting }

  /// The largest sample since this was asked last, as a factor; of all channels while none is chosen.
  public mutating func takePeak() -> Float {
    defer { peak = 0 }
    return peak
  }

  /// Takes a sample frame.
  ///
  /// - Parameters:
  ///   - frame: The samples of all channels.
  ///   - body: Called for each frame of timecode that is told.
  /// - Precondition: there are as many samples as channels.
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
