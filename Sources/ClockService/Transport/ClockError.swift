// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An error of a command to a clock.
public enum ClockError: Error, Hashable, Sendable {
  /// The command needs a running clock; the value names the property.
  case stands(String)
  /// The command needs a stopped clock; the value names the property.
  case runs(String)
  /// The master determines the property that the value names.
  case follows(String)
  /// The clock ended before the command took effect.
  case ended
  /// A time or rate is invalid.
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
