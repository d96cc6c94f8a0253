// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes

/// The value of a property.
enum AudioFileValue {
  /// A value of one size.
  case fixed([UInt8])
  /// Bytes that are useful only as a whole.
  case whole([UInt8])
  /// Elements of a size in bytes, of which some may be returned.
  case list([UInt8], elementSize: Int)
  /// An object, which the program releases.
  case object(AnyObject)

  /// Creates a value of one size.
  init<Value: BitwiseCopyable>(_ value: Value) {
    self = .fixed(unsafe withUnsafeBytes(of: value) { unsafe Array($0) })
  }

  /// Creates a number of bits per second, at most 2³¹.
  init(bitRate: Double) {
    self.init(bitRate.isFinite ? UInt32(max(0, min(bitRate, 0x1p31)).rounded()) : 0)
  }

  /// Creates a list.
  init<Value: BitwiseCopyable>(list: [Value]) {
    self = .list(
      unsafe list.withUnsafeBytes { unsafe Array($0) }, elementSize: MemoryLayout<Value>.stride)
  }

  /// The number of bytes.
  var byteCount: Int {
    switch self {
    case .fixed(let bytes), .whole(let bytes), .list(let bytes, _): bytes.count
    case .object: unsafe MemoryLayout<UnsafeRawPointer>.size
    }
  }

  /// Stores the value.
  ///
  /// - Throws: the target's code for a wrong size.
  func put(_ target: PropertyTarget) throws(StatusError) {
    switch self {
    case .fixed(let bytes):
      guard target.capacity == bytes.count else {
        throw StatusError(kAudioFileBadPropertySizeError)
      }
      try target.put(bytes: bytes)
    case .whole(let bytes): try target.put(bytes: bytes)
    case .list(let bytes, let size):
      let count = min(bytes.count, target.capacity / size * size)
      guard count > 0 || bytes.isEmpty else { throw StatusError(kAudioFileBadPropertySizeError) }
      try target.put(bytes: Array(bytes.prefix(count)))
    case .object(let object):
      guard target.capacity == byteCount else {
        throw StatusError(kAudioFileBadPropertySizeError)
      }
      try target.put(object: object)
    }
  }
}
