// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Decodes linear time code from sound that is played forwards or backwards, at 0.1 to 10 times the
/// normal speed.
///
/// Levels down to −50 dBFS, both polarities and signals with a DC offset are supported. Each bit
/// must have at least five samples, which limits the speed at low sample rates. The sound can be
/// passed in pieces of any length, with the same result.
///
/// A label is only reported if another frame confirms it: the next one, or an earlier reported one
/// at the right distance. Noise, dropouts and music can make labels late or missing (see
/// `LTCReading.continuity`), but not wrong. The use of memory is constant.
public struct LTCDecoder: Sendable {
  /// The sample rate in hertz.
  public let sampleRate: SampleRate
  private var edges: EdgeFinder
  private var bits: BitReader
  private var window = FrameWindow()
  private var chain: LabelChain

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate in hertz.
  ///   - rate: The frame rate of the labels; nil (the default) to detect 24, 25, 29.97 drop-frame
  ///     or 30.
  public init(sampleRate: SampleRate, rate: FrameRate? = nil) {
    self.sampleRate = sampleRate
    edges = EdgeFinder(sampleRate: sampleRate)
    bits = BitReader(sampleRate: sampleRate)
    chain = LabelChain(told: rate)
  }

  /// The frame rate of the labels, as given or detected; nil until it is detected, which takes a
  /// second.
  ///
  /// The rate 30 can also mean 29.97, and 24 can mean 23.976, because the labels are the same.
  public var counting: FrameRate? { chain.counting }

  /// The number of samples that were decoded.
  public var position: SampleTime { SampleTime(frames: edges.sample) }

  /// The number of complete frames that were not reported, because another frame did not confirm
  /// them.
  public var doubted: Int { chain.doubted }

  /// Decodes samples, and appends the frames that are found to an array.
  ///
  /// - Parameters:
  ///   - samples: The samples of one channel; NaN is treated as silence.
  ///   - readings: The array to which frames are appended, in the order in which they were found.
  public mutating func read(_ samples: Span<Float>, into readings: inout [LTCReading]) {
    for index in samples.indices { read(samples[index], into: &readings) }
  }

  /// Decodes one sample, and appends the frames that are found to an array.
  ///
  /// - Parameters:
  ///   - sample: The sample; NaN is treated as silence.
  ///   - readings: The array to which at most two frames are appended.
  public mutating func read(_ sample: Float, into readings: inout [LTCReading]) {
    guard let edge = edges.next(sample), let bit = bits.next(edge) else { return }
    guard let sighting = window.next(bit) else { return }
    chain.take(sighting, into: &readings)
  }
}
