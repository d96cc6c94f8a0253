// SPDX-License-Identifier: Apache-2.0
internal import LinearTimecode
internal import MusicalTime

/// Hears linear timecode in one of several channels: the first in which a label is told.
struct LTCListener {
  let sampleRate: SampleRate
  /// The channel that is read, from 0; nil while none has any timecode.
  private(set) var channel: Int?
  /// Sample frames that were heard.
  private(set) var position: Int64 = 0
  /// Frames of timecode that were read.
  private(set) var frameCount = 0
  /// Frames that are known to be missing.
  private(set) var missedCount = 0
  /// The largest sample of the channel since it was asked for last.
  private var peak: Float = 0
  let channelCount: Int
  private var decoders: [(channel: Int, decoder: LTCDecoder)]
  private var readings: [LTCReading] = []

  /// Creates a listener.
  ///
  /// - Parameters:
  ///   - sampleRate: sample frames a second.
  ///   - channelCount: the samples in a frame.
  ///   - channels: those that may have timecode.
  ///   - counting: how labels count, where that is known.
  init(sampleRate: SampleRate, channelCount: Int, among channels: [Int], counting: FrameRate?) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    decoders = channels.map { ($0, LTCDecoder(sampleRate: sampleRate, rate: counting)) }
  }

  /// Frames of timecode that no other agreed with.
  var doubtedCount: Int { decoders.first.map(\.decoder.doubted) ?? 0 }

  /// How labels count, as far as that is known.
  var counting: FrameRate? { decoders.first?.decoder.counting }

  /// The peak since this was asked last, as a factor; of all channels while none is chosen.
  mutating func takePeak() -> Float {
    defer { peak = 0 }
    return peak
  }

  /// Takes a sample frame.
  ///
  /// - Parameters:
  ///   - frame: the samples of all channels.
  ///   - body: called for each frame of timecode that is told.
  mutating func take(_ frame: Span<Float>, _ body: (LTCReading) throws -> Void) rethrows {
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
