// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes

/// A result code on its way to the caller.
struct StatusError: Error, Hashable {
  let code: OSStatus

  init(_ code: OSStatus) {
    self.code = code
  }

  /// An argument that is out of range, nil, or of something that is gone.
  static let parameter = StatusError(kAudio_ParamError)
}

/// Runs what may fail, and gives the code: `noErr` where it did not.
func status(_ body: () throws(StatusError) -> Void) -> OSStatus {
  do {
    try body()
    return noErr
  } catch {
    return error.code
  }
}

/// What is not nil.
func given<Value>(_ value: Value?) throws(StatusError) -> Value {
  guard let value else { throw .parameter }
  return value
}
