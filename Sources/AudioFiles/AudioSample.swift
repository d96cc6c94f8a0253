// SPDX-License-Identifier: Apache-2.0

/// A type that a client may take samples in: `Int16`, `Int32`, `Float` or `Double`.
///
/// Integers are full scale at their ends, floating point at ±1.
public protocol AudioSample: BitwiseCopyable, Sendable {
  /// Which of the four it is.
  static var sampleType: SampleType { get }
  /// The sample nearest to a value whose full scale is ±1; integers are held within range, a half
  /// goes to the even one, and what is no number becomes 0.
  static func nearest(to value: Double) -> Self
  /// The value, full scale at ±1.
  var value: Double { get }
}

/// The types that samples can be taken in.
public enum SampleType: Hashable, Sendable {
  /// Signed integers of 16 bits.
  case integer16
  /// Signed integers of 32 bits.
  case integer32
  /// Single precision.
  case float32
  /// Double precision.
  case float64

  /// The bits of an integer, or nil for floating point.
  var integerBits: Int? {
    switch self {
    case .integer16: 16
    case .integer32: 32
    case .float32, .float64: nil
    }
  }
}

extension AudioSample {
  /// The samples nearest to values.
  ///
  /// One loop per type is fast: a generic loop is not specialised for callers in other modules.
  static func nearest(to values: ArraySlice<Double>) -> [Self] {
    let samples: Any =
      switch sampleType {
      case .integer16: values.map(Int16.nearest(to:))
      case .integer32: values.map(Int32.nearest(to:))
      case .float32: values.map(Float.nearest(to:))
      case .float64: Array(values)
      }
    return samples as? [Self] ?? values.map(nearest(to:))
  }
}

extension Int16: AudioSample {
  /// Integers of 16 bits.
  public static var sampleType: SampleType { .integer16 }
  /// The value times 2¹⁵, to the nearest.
  public static func nearest(to value: Double) -> Int16 {
    Int16(truncatingIfNeeded: Quantizer(bits: 16).integer(value).integer)
  }
  /// The integer over 2¹⁵.
  public var value: Double { Double(self) / 32_768 }
}

extension Int32: AudioSample {
  /// Integers of 32 bits.
  public static var sampleType: SampleType { .integer32 }
  /// The value times 2³¹, to the nearest.
  public static func nearest(to value: Double) -> Int32 {
    Quantizer(bits: 32).integer(value).integer
  }
  /// The integer over 2³¹.
  public var value: Double { Double(self) / 2_147_483_648 }
}

extension Float: AudioSample {
  /// Single precision.
  public static var sampleType: SampleType { .float32 }
  /// The value in single precision.
  public static func nearest(to value: Double) -> Float { Float(value) }
  /// The sample itself.
  public var value: Double { Double(self) }
}

extension Double: AudioSample {
  /// Double precision.
  public static var sampleType: SampleType { .float64 }
  /// The value itself.
  public static func nearest(to value: Double) -> Double { value }
  /// The sample itself.
  public var value: Double { self }
}
