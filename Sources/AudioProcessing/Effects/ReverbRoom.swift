// SPDX-License-Identifier: Apache-2.0

/// Ready-made settings of a `ReverbUnit`, for rooms of several kinds and sizes.
///
/// The decay is the time in which the reverb decays by 60 dB.
public enum ReverbRoom: String, Hashable, Sendable, CaseIterable {
  /// A small room with a decay of 0.4 s.
  case smallRoom
  /// A room of medium size with a decay of 0.7 s.
  case mediumRoom
  /// A large room with a decay of 1.1 s.
  case largeRoom
  /// A large room with less treble and a decay of 1.4 s.
  case largeRoom2
  /// A bright hall of medium size with a decay of 1.6 s.
  case mediumHall3
  /// A hall of medium size with a decay of 1.8 s.
  case mediumHall
  /// A hall of medium size with less treble and a decay of 2.1 s.
  case mediumHall2
  /// A large hall with a decay of 2.6 s.
  case largeHall
  /// A large hall with less treble and a decay of 3.2 s.
  case largeHall2
  /// A plate reverb: bright, without early reflections, with a decay of 1.8 s.
  case plate
  /// An echo chamber of medium size with a decay of 1.2 s.
  case mediumChamber
  /// A large echo chamber with a decay of 1.9 s.
  case largeChamber
  /// A cathedral with a decay of 6 s.
  case cathedral

  /// The values of the reverb's parameters for this room, without the mix.
  public var settings: [ReverbUnit.Setting: Float] {
    let (size, decay, damping, preDelay, early): (Float, Float, Float, Float, Float) =
      switch self {
      case .smallRoom: (4, 0.4, 0.5, 0.002, 0.4)
      case .mediumRoom: (7, 0.7, 0.5, 0.006, 0.35)
      case .largeRoom: (12, 1.1, 0.5, 0.012, 0.3)
      case .largeRoom2: (14, 1.4, 0.65, 0.015, 0.25)
      case .mediumHall3: (18, 1.6, 0.4, 0.016, 0.25)
      case .mediumHall: (20, 1.8, 0.55, 0.018, 0.2)
      case .mediumHall2: (22, 2.1, 0.7, 0.02, 0.18)
      case .largeHall: (32, 2.6, 0.6, 0.028, 0.18)
      case .largeHall2: (36, 3.2, 0.7, 0.035, 0.15)
      case .plate: (8, 1.8, 0.2, 0, 0)
      case .mediumChamber: (9, 1.2, 0.35, 0.004, 0.1)
      case .largeChamber: (14, 1.9, 0.35, 0.008, 0.1)
      case .cathedral: (48, 6, 0.7, 0.045, 0.1)
      }
    return [
      .size: size, .decay: decay, .damping: damping, .preDelay: preDelay, .early: early,
      .lowDecay: self == .cathedral ? 1.2 : 1, .modulation: self == .plate ? 0.6 : 0.4, .width: 1,
    ]
  }
}

extension ReverbUnit {
  /// Sets all parameters of the reverb except the mix to the values of a room.
  ///
  /// - Parameters:
  ///   - room: The room.
  ///   - seconds: The duration of the change in seconds; nil for the default duration of each
  ///     parameter.
  public func set(_ room: ReverbRoom, over seconds: Double? = nil) {
    for (setting, value) in room.settings {
      parameters.hold(setting.rawValue, to: value, over: seconds)
    }
  }
}
