// SPDX-License-Identifier: Apache-2.0

/// A type in which your program can read samples: `Int16`, `Int32`, `Float` or `Double`.
///
/// Full scale is the end of the range for integers, and ±1 for floating point.
public protocol AudioSample: BitwiseCopyable, Sendable {
  /// The case of ``SampleType`` for this type.
  static var sampleType: SampleType { get }
  /// Returns the sample nearest to a value with full scale at ±1.
  ///
  /// Integers are clamped to their range, a half is rounded to the even integer, and NaN becomes 0.
  /// Floating-point values are not clamped.
  static func nearest(to value: Double) -> Self
  /// The sample as a number with full scale at ±1.
  var value: Double { get }
}

/// The types in which a program can read samples.
public enum SampleType: Hashable, Sendable {
  /// 16-bit signed integers, full scale at −32,768 and 32,767.
  case integer16
  /// 32-bit signed integers, full scale at the ends of the range.
  case integer32
  /// 32-bit floating point, full scale at ±1.
  case float32
  /// 64-bit floating point, full scale at ±1.
  case float64

  /// The number of bits of an integer, or nil for floating point.
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
  /// The case of `SampleType` for this type.
  public static var sampleType: SampleType { .integer16 }
  /// Returns the value times 2¹⁵, rounded to the nearest integer (a half to the even one) and
  /// clamped to the range of the type.
  public static func nearest(to value: Double) -> Int16 {
    Int16(truncatingIfNeeded: Quantizer(bits: 16).integer(value).integer)
  }
  /// The sample as a number in −1…1: the integer divided by 2¹⁵.
  public var value: Double { Double(self) / 32_768 }
}

extension Int32: AudioSample {
  /// The case of `SampleType` for this type.
  public static var sampleType: SampleType { .integer32 }
  /// Returns the value times 2³¹, rounded to the nearest integer (a half to the even one) and
  /// clamped to the range of the type.
  public static func nearest(to value: Double) -> Int32 {
    Quantizer(bits: 32).integer(value).integer
  }
  /// The sample as a number in −1…1: the integer divided by 2³¹.
  public var value: Double { Double(self) / 2_147_483_648 }
}

extension Float: AudioSample {
  /// The case of `SampleType` for this type.
  public static var sampleType: SampleType { .float32 }
  /// Returns the value rounded to single precision, without clamping.
  public static func nearest(to value: Double) -> Float { Float(value) }
  /// The sample as a `Double`, without loss.
  public var value: Double { Double(self) }
}

extension Double: AudioSample {
  /// The case of `SampleType` for this type.
  public static var sampleType: SampleType { .float64 }
  /// Returns the value itself, without clamping.
  public static func nearest(to value: Double) -> Double { value }
  /// The sample itself.
  public var value: Double { self }
}
