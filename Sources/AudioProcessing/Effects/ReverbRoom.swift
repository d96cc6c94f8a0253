// SPDX-License-Identifier: Apache-2.0

/// Settings of a `ReverbUnit` for rooms of several kinds and sizes.
public enum ReverbRoom: String, Hashable, Sendable, CaseIterable {
  /// A small room: 0.4 s.
  case smallRoom
  /// A room: 0.7 s.
  case mediumRoom
  /// A large room: 1.1 s.
  case largeRoom
  /// A large room with less treble: 1.4 s.
  case largeRoom2
  /// A bright hall: 1.6 s.
  case mediumHall3
  /// A hall: 1.8 s.
  case mediumHall
  /// A hall with less treble: 2.1 s.
  case mediumHall2
  /// A large hall: 2.6 s.
  case largeHall
  /// A large hall with less treble: 3.2 s.
  case largeHall2
  /// A metal plate: 1.8 s, bright, without early reflections.
  case plate
  /// An echo chamber: 1.2 s.
  case mediumChamber
  /// A large echo chamber: 1.9 s.
  case largeChamber
  /// A cathedral: 6 s.
  case cathedral

  /// The values of the reverb's parameters; the mix is not part of a room.
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
  /// Sets all parameters but the mix to those of a room.
  ///
  /// - Parameters:
  ///   - room: The room.
  ///   - seconds: The length of the change; nil for the lengths of the parameters.
  public func set(_ room: ReverbRoom, over seconds: Double? = nil) {
    for (setting, value) in room.settings {
      parameters.hold(setting.rawValue, to: value, over: seconds)
    }
  }
}
