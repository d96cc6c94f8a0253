// SPDX-License-Identifier: Apache-2.0

/// An error that occurs when libsmf is used.
public enum InteropError: Error, Hashable, Sendable {
  /// The helper program that calls libsmf was not found at any of these paths.
  case programMissing([String])
  /// The helper program could not be started, or its output could not be read.
  case cannotRun(program: String, reason: String)
}

extension InteropError: CustomStringConvertible {
  /// The error message.
  public var description: String {
    switch self {
    case .programMissing(let paths):
      "\(ReferenceReader.programName): not found at \(paths.joined(separator: " or "))"
        + " (run make install)"
    case .cannotRun(let program, let reason): "\(program): cannot be run: \(reason)"
    }
  }
}
