// SPDX-License-Identifier: Apache-2.0

/// The units of `AudioProcessing` of which effects of GS and XG consist.
enum ModuleUnit: UInt8, BitwiseCopyable, CaseIterable {
  /// A low shelf, two peaks and a high shelf.
  case equalizer
  /// Eight peaks.
  case spectrum
  case compressor, overdrive, distortion, enhancer, loFi
  case phaser, wah, rotary, flanger, tremolo
  /// Two voices on each side, or three.
  case chorus, hexaChorus
  case crossDelay, tapDelay, pitchShift
  /// A reverb, only for the system reverb.
  case reverb

  /// The units of which insertion and variation effects consist.
  static var inserted: [ModuleUnit] { allCases.filter { $0 != .reverb } }

  /// True if the unit has a delay line of half a second or more.
  ///
  /// The units of a slot share its memory, because effects use at most one of them.
  var hasLongLine: Bool { self == .crossDelay || self == .tapDelay || self == .pitchShift }

  static var count: Int {
    @_noAllocation @_noLocks
    get { 18 }
  }
}
