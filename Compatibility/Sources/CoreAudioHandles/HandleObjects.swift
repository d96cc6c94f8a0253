// SPDX-License-Identifier: Apache-2.0

/// The object of a handle.
///
/// - Throws: `StatusError.parameter` for a handle that is nil, closed or of another type.
package func object<Object: AnyObject & Sendable>(
  _ handle: OpaquePointer?, _ type: Object.Type = Object.self
) throws(StatusError) -> Object {
  guard let object = unsafe HandleTable.shared.object(at: handle, as: type) else {
    throw .parameter
  }
  return object
}

extension Optional {
  /// Stores a value if the pointer is not nil.
  package func put<Value>(_ value: Value) where Wrapped == UnsafeMutablePointer<Value> {
    if let pointer = self { unsafe pointer.pointee = value }
  }
}
