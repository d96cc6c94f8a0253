// SPDX-License-Identifier: Apache-2.0

/// The struct of an event that does not fit into eight bytes, as C programs read it, at an address
/// that stays.
@safe final class EventPayload: @unchecked Sendable {
  /// Written once, before anyone has it.
  let base: UnsafeMutableRawPointer
  let count: Int
  /// What the struct refers to: the property list of a preset.
  let object: AnyObject?

  /// Programs read a struct whole, however few of its last bytes an event has.
  private static let leastSize = 32

  init(copying bytes: UnsafeRawBufferPointer, object: AnyObject? = nil) {
    let size = max(bytes.count, Self.leastSize)
    unsafe base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    if let start = bytes.baseAddress { unsafe base.copyMemory(from: start, byteCount: bytes.count) }
    count = bytes.count
    self.object = object
  }

  deinit {
    unsafe base.deallocate()
  }

  /// Lends the bytes to a closure: the object, and with it its memory, stays until it returns.
  func lend<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withExtendedLifetime(self) {
      unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }
  }

  /// The bytes from one on.
  func bytes(from start: Int) -> [UInt8] { unsafe lend { unsafe Array($0[start...]) } }

  /// The first bytes as a struct of at most 32 bytes.
  func value<Struct: BitwiseCopyable>(as type: Struct.Type) -> Struct {
    withExtendedLifetime(self) { unsafe base.load(as: type) }
  }
}
