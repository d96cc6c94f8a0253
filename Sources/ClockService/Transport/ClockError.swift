// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An error caused by a command to a clock.
public enum ClockError: Error, Hashable, Sendable {
  /// The command needs a running clock; the value is the name of the property.
  case stands(String)
  /// The command needs a stopped clock; the value is the name of the property.
  case runs(String)
  /// The property cannot be set, because the master determines it; the value is its name.
  case follows(String)
  /// The clock ended before the command took effect.
  case ended
  /// A time or rate in the command is invalid.
  case time(TimeError)
}

extension ClockError: CustomStringConvertible {
  /// The error message.
  public var description: String {
    switch self {
    case .stands(let what): "\(what): the clock is stopped (start it first)"
    case .runs(let what): "\(what): the clock is running (stop it first)"
    case .follows(let what):
      "\(what): set by the master (use its controls, or start again without --sync or --link)"
    case .ended: "the clock has ended (start another one)"
    case .time(let error): "\(error)"
    }
  }
}
