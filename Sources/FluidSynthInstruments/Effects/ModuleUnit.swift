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

  static var count: Int {
    @_noAllocation @_noLocks
    get { 18 }
  }
}
