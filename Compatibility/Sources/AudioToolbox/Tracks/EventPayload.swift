// SPDX-License-Identifier: Apache-2.0

/// The struct of an event that does not fit into eight bytes, as C programs read it, at a fixed
/// address.
@safe final class EventPayload: @unchecked Sendable {
  /// Written once, before the object is shared.
  let base: UnsafeMutableRawPointer
  let count: Int
  /// The object to which the struct refers: the property list of a preset.
  let object: AnyObject?

  /// The minimum size: programs read a whole struct even if the event has fewer bytes.
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

  /// Passes the bytes to a closure; the memory stays allocated until the closure returns.
  func lend<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withExtendedLifetime(self) {
      unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }
  }

  /// The bytes from an offset on.
  func bytes(from start: Int) -> [UInt8] { unsafe lend { unsafe Array($0[start...]) } }

  /// Reads the first bytes as a struct of at most 32 bytes.
  func value<Struct: BitwiseCopyable>(as type: Struct.Type) -> Struct {
    withExtendedLifetime(self) { unsafe base.load(as: type) }
  }
}
