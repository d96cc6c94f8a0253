// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Foundation
internal import MusicalTime

/// An equaliser: an `EqualizerUnit` of the bands that are not bypassed.
///
/// - Note: Any thread.
open class AVAudioUnitEQ: AVAudioUnitEffect, @unchecked Sendable {
  private let live: LiveEffect<EqualizerValues>

  /// The bands; a program changes their values.
  public let bands: [AVAudioUnitEQFilterParameters]

  /// Creates an equaliser whose bands are bypassed.
  ///
  /// The bands have frequencies from 40 to 10,000 Hz, in equal ratios.
  ///
  /// - Parameter numberOfBands: The number of bands, 0…64; other numbers count as the nearest.
  public init(numberOfBands: Int = 1) {
    let count = min(64, max(0, numberOfBands))
    let live = LiveEffect(EqualizerValues(count))
    self.live = live
    bands = (0..<count).map { AVAudioUnitEQFilterParameters(live, band: $0) }
    super.init(.equalizer, live)
    for band in bands { band.setOwner(self) }
  }

  /// The gain of the whole sound in decibels, −96…24; 0 by default.
  open var globalGain: Float {
    get { live.values.gain }
    set { _ = live.change { $0.gain = newValue.held(in: -96...24, else: 0) } }
  }
}
