// SPDX-License-Identifier: Apache-2.0

/// Why no second opinion could be had.
public enum InteropError: Error, Hashable, Sendable {
  /// The program that asks libsmf is not there; the places that were looked at.
  case programMissing([String])
  /// The program could not be started or listened to.
  case cannotRun(program: String, reason: String)
}

extension InteropError: CustomStringConvertible {
  /// The sentence for a person.
  public var description: String {
    switch self {
    case .programMissing(let paths):
      "\(ReferenceReader.programName): not found at \(paths.joined(separator: " or "))"
        + " (run make install)"
    case .cannotRun(let program, let reason): "\(program): cannot be run: \(reason)"
    }
  }
}
