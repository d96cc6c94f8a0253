// SPDX-License-Identifier: Apache-2.0

/// A connection block, in which a source, scaled by a control, changes a parameter of a voice.
///
/// Source: DLS 2.2, section 2.10.
package struct DLSConnection: Hashable, Sendable, BitwiseCopyable {
  /// The source that changes the parameter, 0 for none: see `DLSSource`.
  var source: UInt16
  /// The second source, which scales the first, 0 for none.
  var control: UInt16
  /// The parameter: see `DLSDestination`.
  var destination: UInt16
  /// The curve, polarity and direction of the source.
  var sourceCurve: DLSCurve
  /// The curve, polarity and direction of the control.
  var controlCurve: DLSCurve
  /// The amount in 1/65,536 of the parameter's unit: cents, time cents, 0.1 dB or 0.1 %.
  var scale: Int32

  /// The amount in the parameter's unit.
  var amount: Double { Double(scale) / 65_536 }

  /// Returns true if both have the same source, control and destination.
  func isLike(_ other: Self) -> Bool {
    source == other.source && control == other.control && destination == other.destination
  }
}

/// The mapping of a source before it changes a parameter.
///
/// The bits are those of a modulator's source in a soundfont, without the number of the source.
///
/// Source: DLS 2.2, section 2.10; SoundFont 2.04, section 8.2.
struct DLSCurve: Hashable, Sendable, BitwiseCopyable {
  /// 0 linear, 1 concave, 2 convex, 3 switch, others undefined.
  var shape: UInt16
  /// True for the range −1…1, false for 0…1.
  var isBipolar: Bool
  /// True if it decreases.
  var isInverted: Bool

  static let linear = DLSCurve(shape: 0, isBipolar: false, isInverted: false)
  static let bipolar = DLSCurve(shape: 0, isBipolar: true, isInverted: false)
  static let falling = DLSCurve(shape: 1, isBipolar: false, isInverted: true)
}

/// The numbers of sources.
///
/// Source: DLS 2.2, table 9.
enum DLSSource {
  static let none: UInt16 = 0
  static let oscillator: UInt16 = 1
  static let velocity: UInt16 = 2
  static let key: UInt16 = 3
  static let volumeEnvelope: UInt16 = 4
  static let envelope: UInt16 = 5
  static let pitchWheel: UInt16 = 6
  static let keyPressure: UInt16 = 7
  static let pressure: UInt16 = 8
  static let vibrato: UInt16 = 9
  /// Controllers 0–127 follow; 0x81 is controller 1.
  static let controllers: Range<UInt16> = 0x80..<0x100
  static let volume: UInt16 = 0x87
  static let pan: UInt16 = 0x8A
  static let expression: UInt16 = 0x8B
  static let bendRange: UInt16 = 0x100
}

/// The numbers of destinations.
///
/// Source: DLS 2.2, table 10.
enum DLSDestination {
  static let gain: UInt16 = 0x001
  static let pitch: UInt16 = 0x003
  static let pan: UInt16 = 0x004
  static let keyNumber: UInt16 = 0x005
  static let cutoff: UInt16 = 0x500
  static let volumeSustain: UInt16 = 0x20A
  static let envelopeSustain: UInt16 = 0x30E

  /// The generators of the destinations whose unit is the same in a soundfont.
  static let generators: [UInt16: UInt16] = [
    0x004: 17, 0x080: 15, 0x081: 16, 0x104: 22, 0x105: 21, 0x114: 24, 0x115: 23,
    0x206: 34, 0x207: 36, 0x209: 38, 0x20B: 33, 0x20C: 35,
    0x30A: 26, 0x30B: 28, 0x30D: 30, 0x30F: 25, 0x310: 27, 0x500: 8, 0x501: 9,
  ]
}
