// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes
internal import CoreFoundation

/// The value of a property of a sound device.
enum HardwareValue {
  /// Bytes that are complete or missing.
  case whole([UInt8])
  /// Elements of a size; a program may ask for the first ones.
  case list([UInt8], element: Int)
  /// A string, which the program releases.
  case text(String)

  /// A number, or another value without references.
  static func one<Value: BitwiseCopyable>(_ value: Value) -> HardwareValue {
    .whole(bytes(of: [value]))
  }

  /// Values without references.
  static func many<Value: BitwiseCopyable>(_ values: [Value]) -> HardwareValue {
    .list(bytes(of: values), element: MemoryLayout<Value>.stride)
  }

  private static func bytes<Value: BitwiseCopyable>(of values: [Value]) -> [UInt8] {
    unsafe values.withUnsafeBytes { unsafe [UInt8]($0) }
  }

  /// The bytes that a program needs for it.
  var size: Int {
    switch self {
    case .whole(let bytes), .list(let bytes, _): bytes.count
    case .text: unsafe MemoryLayout<Unmanaged<CFString>>.size
    }
  }

  /// Writes the value and its size; nothing if the room is too small.
  func write(
    to data: UnsafeMutableRawPointer, size: UnsafeMutablePointer<UInt32>
  ) -> OSStatus {
    let room = unsafe Int(size.pointee)
    switch self {
    case .whole(let bytes):
      guard room >= bytes.count else { return kAudioHardwareBadPropertySizeError }
      unsafe data.copyMemory(from: bytes, byteCount: bytes.count)
      unsafe size.pointee = UInt32(bytes.count)
    case .list(let bytes, let element):
      let count = min(bytes.count, room / element * element)
      unsafe data.copyMemory(from: bytes, byteCount: count)
      unsafe size.pointee = UInt32(count)
    case .text(let text):
      guard room >= self.size else { return kAudioHardwareBadPropertySizeError }
      let string = unsafe Unmanaged.passRetained(CFString(string: text)).toOpaque()
      unsafe data.storeBytes(of: string, as: UnsafeMutableRawPointer.self)
      unsafe size.pointee = UInt32(self.size)
    }
    return noErr
  }
}
