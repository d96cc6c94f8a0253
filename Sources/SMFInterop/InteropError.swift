// SPDX-License-Identifier: Apache-2.0

/// An error of running libsmf.
public enum InteropError: Error, Hashable, Sendable {
  /// The program that calls libsmf was not found at these paths.
  case programMissing([String])
  /// The program could not be started, or its output could not be read.
  case cannotRun(program: String, reason: String)
}

extension InteropError: CustomStringConvertible {
  /// The text of the error message.
  public var description: String {
    switch self {
    case .programMissing(let paths):
      "\(ReferenceReader.programName): not found at \(paths.joined(separator: " or "))"
        + " (run make install)"
    case .cannotRun(let program, let reason): "\(program): cannot be run: \(reason)"
    }
  }
}
