// SPDX-License-Identifier: Apache-2.0

/// The struct of an event that does not fit into eight bytes, as C programs read it, at an address
/// that stays.
@safe final class EventPayload: @unchecked Sendable {
  /// Written once, before anyone has it.
  let base: UnsafeMutableRawPointer
  let count: Int
  /// What the struct refers to: the property list of a preset.
  let object: AnyObject?

  init(copying bytes: UnsafeRawBufferPointer, object: AnyObject? = nil) {
    unsafe base = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 1), alignment: 8)
    if let start = bytes.baseAddress { unsafe base.copyMemory(from: start, byteCount: bytes.count) }
    count = bytes.count
    self.object = object
  }

  deinit {
    unsafe base.deallocate()
  }

  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: base, count: count) }
}
