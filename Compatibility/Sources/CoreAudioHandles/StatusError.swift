// SPDX-License-Identifier: Apache-2.0
package import CoreAudioTypes

/// An error with the code that a function returns.
package struct StatusError: Error, Hashable {
  /// The code, other than `noErr`.
  package let code: OSStatus

  /// Creates an error.
  ///
  /// - Parameter code: The code, other than `noErr`.
  package init(_ code: OSStatus) {
    self.code = code
  }

  /// The error for an argument that is nil, invalid or out of range.
  package static let parameter = StatusError(kAudio_ParamError)
}

/// Runs a closure and returns the code of its error, or `noErr`.
package func status(_ body: () throws(StatusError) -> Void) -> OSStatus {
  do {
    try body()
    return noErr
  } catch {
    return error.code
  }
}

/// Returns the value of an optional argument.
///
/// - Throws: `StatusError.parameter` for nil.
package func given<Value>(_ value: Value?) throws(StatusError) -> Value {
  guard let value else { throw .parameter }
  return value
}
