// SPDX-License-Identifier: Apache-2.0
package import CoreAudioTypes

/// A result code of a function, thrown to the function that returns it.
package struct StatusError: Error, Hashable {
  /// The code, other than `noErr`.
  package let code: OSStatus

  /// Creates an error.
  /// - Parameter code: the code, other than `noErr`
  package init(_ code: OSStatus) {
    self.code = code
  }

  /// The error for an argument that is out of range or nil, or of a closed object.
  package static let parameter = StatusError(kAudio_ParamError)
}

/// Runs a body and returns the code of its error, or `noErr`.
package func status(_ body: () throws(StatusError) -> Void) -> OSStatus {
  do {
    try body()
    return noErr
  } catch {
    return error.code
  }
}

/// The value of an optional argument.
///
/// - Throws: `StatusError.parameter` for nil.
package func given<Value>(_ value: Value?) throws(StatusError) -> Value {
  guard let value else { throw .parameter }
  return value
}
