// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Foundation
internal import MusicalTime

/// The presets of a reverb effect: rooms with different reverb times.
///
/// The reverb time is the time in which the reverb decays by 60 dB.
public enum AVAudioUnitReverbPreset: Int, Sendable {
  /// A small room with a reverb time of 0.4 s.
  case smallRoom = 0
  /// A medium-sized room with a reverb time of 0.7 s.
  case mediumRoom = 1
  /// A large room with a reverb time of 1.1 s.
  case largeRoom = 2
  /// A medium-sized hall with a reverb time of 1.8 s.
  case mediumHall = 3
  /// A large hall with a reverb time of 2.6 s.
  case largeHall = 4
  /// A plate reverb with a reverb time of 1.8 s: bright, without early reflections.
  case plate = 5
  /// A medium-sized echo chamber with a reverb time of 1.2 s.
  case mediumChamber = 6
  /// A large echo chamber with a reverb time of 1.9 s.
  case largeChamber = 7
  /// A cathedral with a reverb time of 6 s.
  case cathedral = 8
  /// A large room with less treble and a reverb time of 1.4 s.
  case largeRoom2 = 9
  /// A medium-sized hall with less treble and a reverb time of 2.1 s.
  case mediumHall2 = 10
  /// A bright, medium-sized hall with a reverb time of 1.6 s.
  case mediumHall3 = 11
  /// A large hall with less treble and a reverb time of 3.2 s.
  case largeHall2 = 12

  var room: ReverbRoom {
    switch self {
    case .smallRoom: .smallRoom
    case .mediumRoom: .mediumRoom
    case .largeRoom: .largeRoom
    case .mediumHall: .mediumHall
    case .largeHall: .largeHall
    case .plate: .plate
    case .mediumChamber: .mediumChamber
    case .largeChamber: .largeChamber
    case .cathedral: .cathedral
    case .largeRoom2: .largeRoom2
    case .mediumHall2: .mediumHall2
    case .mediumHall3: .mediumHall3
    case .largeHall2: .largeHall2
    }
  }
}

/// A reverb effect, based on `ReverbUnit`.
///
/// - Note: Any thread.
open class AVAudioUnitReverb: AVAudioUnitEffect, @unchecked Sendable {
  private let live: LiveEffect<ReverbValues>

  /// Creates a reverb effect with the preset `mediumHall`.
  public init() {
    live = LiveEffect(ReverbValues())
    super.init(.reverb, live)
  }

  /// Loads a preset.
  ///
  /// The mix does not change.
  ///
  /// - Parameter preset: The preset.
  open func loadFactoryPreset(_ preset: AVAudioUnitReverbPreset) {
    _ = live.change { $0.room = preset.room }
  }

  /// The share of the reverb in the output, in per cent, 0…100; 0 by default.
  ///
  /// Values outside the range are clamped.
  open var wetDryMix: Float {
    get { live.values.mix }
    set { _ = live.change { $0.mix = newValue.held(in: 0...100, else: 0) } }
  }
}

/// The values of a reverb.
struct ReverbValues: EffectValues {
  var room = ReverbRoom.mediumHall
  var mix: Float = 0

  func makeUnits(
    _ rate: SampleRate, channelCount: Int
  ) throws -> (unit: any ProcessingUnit, units: ReverbUnit) {
    let unit = ReverbUnit(channelCount: channelCount, rate: rate)
    return (unit, unit)
  }

  func apply(to unit: ReverbUnit, over seconds: Double?) {
    unit.set(room, over: seconds)
    unit.set(.mix, to: mix / 100, over: seconds)
  }
}
