// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Reads linear time code from sound, forwards and backwards, at 0.1 to 10 times the normal speed.
///
/// It accepts levels down to −50 dBFS, either polarity, and an offset of the signal. It needs at
/// least five samples per bit, which limits the speed at low sample rates. The sound can be passed
/// in pieces of any length, with the same result.
///
/// A label is only reported if another frame agrees with it: the next one, or an earlier reported
/// one at the right distance. Noise, dropouts and music can make labels late or missing (see
/// `LTCReading.continuity`), but not wrong. The use of memory is constant.
public struct LTCDecoder: Sendable {
  /// Samples per second.
  public let sampleRate: SampleRate
  private var edges: EdgeFinder
  private var bits: BitReader
  private var window = FrameWindow()
  private var chain: LabelChain

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - sampleRate: Samples per second.
  ///   - rate: The frame rate by which labels count; nil (the default) to detect 24, 25, 29.97
  ///     drop-frame or 30.
  public init(sampleRate: SampleRate, rate: FrameRate? = nil) {
    self.sampleRate = sampleRate
    edges = EdgeFinder(sampleRate: sampleRate)
    bits = BitReader(sampleRate: sampleRate)
    chain = LabelChain(told: rate)
  }

  /// The frame rate by which labels count; nil until it is given or detected, which takes a second.
  ///
  /// 30 also stands for 29.97, and 24 for 23.976, because their labels are the same.
  public var counting: FrameRate? { chain.counting }

  /// The number of samples that were read.
  public var position: SampleTime { SampleTime(frames: edges.sample) }

  /// The number of complete frames that were not reported, because no other frame agreed with them.
  public var doubted: Int { chain.doubted }

  /// Reads sound.
  ///
  /// - Parameters:
  ///   - samples: The samples of one channel; NaN counts as silence.
  ///   - readings: The array to which frames are appended, in the order in which they were read.
  public mutating func read(_ samples: Span<Float>, into readings: inout [LTCReading]) {
    for index in samples.indices { read(samples[index], into: &readings) }
  }

  /// Reads a sample.
  ///
  /// - Parameters:
  ///   - sample: The sample; NaN counts as silence.
  ///   - readings: The array to which frames are appended, at most two.
  public mutating func read(_ sample: Float, into readings: inout [LTCReading]) {
    guard let edge = edges.next(sample), let bit = bits.next(edge) else { return }
    guard let sighting = window.next(bit) else { return }
    chain.take(sighting, into: &readings)
  }
}
