// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Foundation
internal import MusicalTime

/// An equaliser with several bands, based on `EqualizerUnit`.
///
/// - Note: Any thread.
open class AVAudioUnitEQ: AVAudioUnitEffect, @unchecked Sendable {
  private let live: LiveEffect<EqualizerValues>

  /// The bands of the equaliser.
  ///
  /// Set their properties to change the sound.
  public let bands: [AVAudioUnitEQFilterParameters]

  /// Creates an equaliser with all bands bypassed.
  ///
  /// The band frequencies are spaced logarithmically from 40 to 10,000 Hz.
  ///
  /// - Parameter numberOfBands: The number of bands, clamped to 0…64.
  public init(numberOfBands: Int = 1) {
    let count = min(64, max(0, numberOfBands))
    let live = LiveEffect(EqualizerValues(count))
    self.live = live
    bands = (0..<count).map { AVAudioUnitEQFilterParameters(live, band: $0) }
    super.init(.equalizer, live)
    for band in bands { band.setOwner(self) }
  }

  /// The overall gain in decibels, −96…24; 0 by default.
  open var globalGain: Float {
    get { live.values.gain }
    set { _ = live.change { $0.gain = newValue.held(in: -96...24, else: 0) } }
  }
}
