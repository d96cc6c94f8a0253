// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Reads linear timecode from sound, forwards and backwards, at a tenth to ten times its speed.
///
/// It takes any level down to −50 dBFS, either polarity, and a level that lies beside zero; at
/// least five samples a bit it needs to hear, which bounds the speed at low sample rates. Sound
/// comes in pieces of any length, and the readings are the same however it is cut.
///
/// A label is told only where a second frame agrees: the next one beside it, or one before that
/// was told and lies as many frames off as the labels say. So noise, dropouts and music make
/// labels late or missing (`LTCReading.continuity`), never wrong. Memory is constant.
public struct LTCDecoder: Sendable {
  /// Samples a second.
  public let sampleRate: SampleRate
  private var edges: EdgeFinder
  private var bits: BitReader
  private var window = FrameWindow()
  private var chain: LabelChain

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - sampleRate: Samples a second.
  ///   - rate: How labels count, where it is known; nil finds it out: 24, 25, 29.97 drop or 30.
  public init(sampleRate: SampleRate, rate: FrameRate? = nil) {
    self.sampleRate = sampleRate
    edges = EdgeFinder(sampleRate: sampleRate)
    bits = BitReader(sampleRate: sampleRate)
    chain = LabelChain(told: rate)
  }

  /// How labels count, or nil until a second has gone by where that was not told.
  ///
  /// 30 stands for 29.97 too, and 24 for 23.976: the labels are the same, and only the speed could
  /// tell.
  public var counting: FrameRate? { chain.counting }

  /// Samples read.
  public var position: SampleTime { SampleTime(frames: edges.sample) }

  /// Whole frames that were seen and not told, because no other agreed with them.
  public var doubted: Int { chain.doubted }

  /// Reads sound.
  ///
  /// - Parameters:
  ///   - samples: One channel; what is no number is silence.
  ///   - readings: Where frames are appended, in the order in which they were met.
  public mutating func read(_ samples: Span<Float>, into readings: inout [LTCReading]) {
    for index in samples.indices { read(samples[index], into: &readings) }
  }

  /// Reads a sample.
  ///
  /// - Parameters:
  ///   - sample: The sample; what is no number is silence.
  ///   - readings: Where frames are appended, at most two.
  public mutating func read(_ sample: Float, into readings: inout [LTCReading]) {
    guard let edge = edges.next(sample), let bit = bits.next(edge) else { return }
    guard let sighting = window.next(bit) else { return }
    chain.take(sighting, into: &readings)
  }
}
