// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Foundation
internal import MusicalTime

/// The rooms of a reverb.
public enum AVAudioUnitReverbPreset: Int, Sendable {
  /// A small room.
  case smallRoom = 0
  /// A room.
  case mediumRoom = 1
  /// A large room.
  case largeRoom = 2
  /// A hall.
  case mediumHall = 3
  /// A large hall.
  case largeHall = 4
  /// A metal plate.
  case plate = 5
  /// An echo chamber.
  case mediumChamber = 6
  /// A large echo chamber.
  case largeChamber = 7
  /// A cathedral.
  case cathedral = 8
  /// Another large room.
  case largeRoom2 = 9
  /// Another hall.
  case mediumHall2 = 10
  /// A third hall.
  case mediumHall3 = 11
  /// Another large hall.
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

/// The sound of a room: a `ReverbUnit`.
///
/// - Note: Any thread.
open class AVAudioUnitReverb: AVAudioUnitEffect, @unchecked Sendable {
  private let live: LiveEffect<ReverbValues>

  /// Creates a reverb with the room `mediumHall`.
  public init() {
    live = LiveEffect(ReverbValues())
    super.init(.reverb, live)
  }

  /// Selects a room; the share of the reverb stays.
  ///
  /// - Parameter preset: The room.
  open func loadFactoryPreset(_ preset: AVAudioUnitReverbPreset) {
    _ = live.change { $0.room = preset.room }
  }

  /// The share of the reverb in per cent, 0…100; 0 by default.
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
