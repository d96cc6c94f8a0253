// SPDX-License-Identifier: Apache-2.0

/// A unit of `AudioProcessing` that effects of GS and XG are made of.
enum ModuleUnit: UInt8, BitwiseCopyable, CaseIterable {
  /// A low shelf, two peaks, a high shelf.
  case equalizer
  /// Eight peaks.
  case spectrum
  case compressor, overdrive, distortion, enhancer, loFi
  case phaser, wah, rotary, flanger, tremolo
  /// Two voices on each side, and three.
  case chorus, hexaChorus
  case crossDelay, tapDelay, pitchShift
  /// A room, for the system reverb alone.
  case reverb

  /// Those that insertion and variation effects are made of.
  static var inserted: [ModuleUnit] { allCases.filter { $0 != .reverb } }

  /// Whether it has a line of half a second or more, which the units of a slot share: no effect has two
  /// of them.
  var hasLongLine: Bool { self == .crossDelay || self == .tapDelay || self == .pitchShift }

  static var count: Int {
    @_noAllocation @_noLocks
    get { 18 }
  }
}
