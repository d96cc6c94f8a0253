// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import MusicalTime

/// A duration as the user types it: `250ms`, `1.5s`, `1:30`.
struct TypedTime: ExpressibleByArgument {
  let nanoseconds: Int64

  init?(argument: String) {
    do {
      try self.init(parsing: argument)
    } catch {
      return nil
    }
  }

  /// Reads a duration in any format for seconds; a number without a unit is in seconds.
  init(parsing text: String) throws {
    let expression = try TimeExpression(text, bareNumbersAs: .seconds)
    let exact: Ratio
    switch expression.value {
    case .seconds(let seconds): exact = try seconds * 1_000_000_000
    case .hostTime(let value): exact = value
    default: throw ValidationError("'\(text)': not a duration (try 250ms or 1.5s)")
    }
    guard exact >= 0 else { throw ValidationError("'\(text)': a duration cannot be negative") }
    nanoseconds = try exact.rounded(.nearest).value
  }

  /// The time after a given time in nanoseconds, limited to the range.
  func after(_ start: Int64) -> Int64 {
    HostTime(nanoseconds: start).advanced(saturating: nanoseconds).nanoseconds
  }
}
