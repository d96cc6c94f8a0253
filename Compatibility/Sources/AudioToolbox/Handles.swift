// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes

/// The object of a handle.
///
/// - Throws: `ParamError` for a handle that is nil, stale or of something else.
func object<Object: AnyObject & Sendable>(
  _ handle: OpaquePointer?, _ type: Object.Type = Object.self
) throws(StatusError) -> Object {
  guard let object = unsafe HandleTable.shared.object(at: handle, as: type) else {
    throw .parameter
  }
  return object
}

extension Optional {
  /// Puts a value where a caller wants it, if it does.
  func put<Value>(_ value: Value) where Wrapped == UnsafeMutablePointer<Value> {
    if let pointer = self { unsafe pointer.pointee = value }
  }
}
