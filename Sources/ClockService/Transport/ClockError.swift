// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Why a clock does not do what it is told.
public enum ClockError: Error, Hashable, Sendable {
  /// It is something that can only be done to a clock that runs.
  case stands(String)
  /// It is something that can only be done to a clock that stands.
  case runs(String)
  /// It is the master's business.
  case follows(String)
  /// It was ended before it did what it was told.
  case ended
  /// A time or a rate does not fit.
  case time(TimeError)
}

extension ClockError: CustomStringConvertible {
  /// The error as a sentence.
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
