// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// Copies samples from a decoder's frame, interleaved and converted to a type.
@safe
struct DecodedSamples {
  private let planes: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
  private let format: Int
  /// The channels in the frame, and the channels of the copy.
  private let (present, wanted): (Int, Int)

  init?(_ decoder: borrowing DecoderHandle, channelCount: Int) {
    guard let planes = unsafe decoder.planes else { return nil }
    unsafe self.planes = planes
    format = decoder.shape.sampleFormat
    (present, wanted) = (decoder.shape.channelCount, channelCount)
  }

  /// Copies frames.
  ///
  /// A channel that the frame does not have is silent.
  func copy(_ frames: Range<Int>, to target: UnsafeMutableRawPointer, as type: SampleType) {
    switch type {
    case .integer16: unsafe copy(frames, target.assumingMemoryBound(to: Int16.self))
    case .integer32: unsafe copy(frames, target.assumingMemoryBound(to: Int32.self))
    case .float32: unsafe copy(frames, target.assumingMemoryBound(to: Float.self))
    case .float64: unsafe copy(frames, target.assumingMemoryBound(to: Double.self))
    }
  }

  private func copy<Target: AudioSample>(
    _ frames: Range<Int>, _ target: UnsafeMutablePointer<Target>
  ) {
    switch format {
    case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P: unsafe copy(frames, UInt8.self, target)
    case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P: unsafe copy(frames, Int16.self, target)
    case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P: unsafe copy(frames, Int32.self, target)
    case AV_SAMPLE_FMT_S64, AV_SAMPLE_FMT_S64P: unsafe copy(frames, Int64.self, target)
    case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP: unsafe copy(frames, Float.self, target)
    case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP: unsafe copy(frames, Double.self, target)
    default: break
    }
  }

  private var isPlanar: Bool {
    ![
      AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S64, AV_SAMPLE_FMT_FLT,
      AV_SAMPLE_FMT_DBL,
    ].contains(format)
  }

  private func copy<Source: DecodedSample, Target: AudioSample>(
    _ frames: Range<Int>, _ source: Source.Type, _ target: UnsafeMutablePointer<Target>
  ) {
    let step = isPlanar ? 1 : present
    for channel in 0..<wanted {
      let plane = channel < present ? unsafe planes[isPlanar ? channel : 0] : nil
      guard let plane = unsafe plane else {
        for place in 0..<frames.count { unsafe target[place * wanted + channel] = .nearest(to: 0) }
        continue
      }
      let first = isPlanar ? 0 : channel
      unsafe plane.withMemoryRebound(to: Source.self, capacity: frames.upperBound * step) {
        var place = channel
        for frame in frames {
          unsafe target[place] = Target(decoded: $0[frame * step + first])
          place += wanted
        }
      }
    }
  }
}

/// A type of samples that decoders return.
protocol DecodedSample: BitwiseCopyable {
  /// The sample with full scale at ±1.
  var unitValue: Double { get }
}

extension AudioSample {
  /// The nearest sample to a decoded one; the same bits if the types are equal.
  @inline(__always)
  fileprivate init<Source: DecodedSample>(decoded: Source) {
    if let same = decoded as? Self { self = same } else { self = .nearest(to: decoded.unitValue) }
  }
}

extension UInt8: DecodedSample {
  var unitValue: Double { (Double(self) - 128) / 128 }
}
extension Int16: DecodedSample {
  var unitValue: Double { value }
}
extension Int32: DecodedSample {
  var unitValue: Double { value }
}
extension Int64: DecodedSample {
  var unitValue: Double { Double(self) / 9_223_372_036_854_775_808 }
}
extension Float: DecodedSample {
  var unitValue: Double { value }
}
extension Double: DecodedSample {
  var unitValue: Double { self }
}
