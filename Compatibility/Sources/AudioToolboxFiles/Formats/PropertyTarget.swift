// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
package import CoreAudioHandles
internal import Foundation

/// The memory that a program gives for the value of a property, and its size.
@safe package struct PropertyTarget {
  private let size: UnsafeMutablePointer<UInt32>
  private let data: UnsafeMutableRawPointer
  private let badSize: StatusError

  /// Creates a target.
  ///
  /// - Parameters:
  ///   - size: the number of bytes of the memory, and afterwards of the value.
  ///   - data: the memory.
  ///   - badSize: the code for memory of a wrong size.
  /// - Throws: `StatusError.parameter` if a pointer is nil.
  package init(
    _ size: UnsafeMutablePointer<UInt32>?, _ data: UnsafeMutableRawPointer?, badSize: OSStatus
  ) throws(StatusError) {
    unsafe self.size = try given(size)
    unsafe self.data = try given(data)
    self.badSize = StatusError(badSize)
  }

  /// The number of bytes of the memory.
  package var capacity: Int { unsafe Int(size.pointee) }

  /// Stores a value.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - isExact: true if larger memory is refused too.
  /// - Throws: the code for memory of a wrong size.
  package func put<Value: BitwiseCopyable>(
    _ value: Value, isExact: Bool = false
  ) throws(StatusError) {
    let count = MemoryLayout<Value>.size
    guard isExact ? capacity == count : capacity >= count else { throw badSize }
    unsafe data.storeBytes(of: value, as: Value.self)
    unsafe size.pointee = UInt32(count)
  }

  /// Stores a list, as many whole elements as fit.
  package func put<Value: BitwiseCopyable>(list: [Value]) {
    let count = min(list.count, capacity / max(1, MemoryLayout<Value>.stride))
    unsafe list.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe data.copyMemory(from: base, byteCount: count * MemoryLayout<Value>.stride)
    }
    unsafe size.pointee = UInt32(count * MemoryLayout<Value>.stride)
  }

  /// Stores bytes.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - least: the number of bytes that must fit; nil for all.
  /// - Throws: the code for memory of a wrong size.
  package func put(bytes: [UInt8], least: Int? = nil) throws(StatusError) {
    guard capacity >= least ?? bytes.count else { throw badSize }
    put(list: bytes)
  }

  /// Stores an object, which the program releases.
  ///
  /// - Throws: the code for memory of a wrong size.
  package func put(object: AnyObject) throws(StatusError) {
    guard capacity >= MemoryLayout<UInt>.size else { throw badSize }
    let address = unsafe UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
    try put(address)
  }

  /// Stores a text as a `CFString`, which the program releases.
  ///
  /// - Throws: the code for memory of a wrong size.
  package func put(text: String) throws(StatusError) { try put(object: NSString(string: text)) }
}

/// The value that a program gives for a property.
@safe package struct PropertySource {
  /// The number of bytes.
  package let count: Int
  private let data: UnsafeRawPointer
  private let badSize: StatusError

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - size: the number of bytes.
  ///   - data: the memory.
  ///   - badSize: the code for a value of a wrong size.
  /// - Throws: `StatusError.parameter` if the pointer is nil.
  package init(
    _ size: UInt32, _ data: UnsafeRawPointer?, badSize: OSStatus
  ) throws(StatusError) {
    unsafe self.data = try given(data)
    count = Int(size)
    self.badSize = StatusError(badSize)
  }

  /// The value.
  ///
  /// - Throws: the code for a value of a wrong size.
  package func value<Value: BitwiseCopyable>(as type: Value.Type = Value.self) throws(StatusError)
    -> Value
  {
    guard count == MemoryLayout<Value>.size else { throw badSize }
    return unsafe data.loadUnaligned(as: type)
  }

  /// The whole elements of a list.
  package func list<Value: BitwiseCopyable>(of type: Value.Type = Value.self) -> [Value] {
    let stride = MemoryLayout<Value>.stride
    return (0..<count / stride).map { index in
      unsafe data.loadUnaligned(fromByteOffset: index * stride, as: type)
    }
  }

  /// The channels of a layout.
  ///
  /// - Throws: the code for a value of a wrong size.
  package func channels() throws(StatusError) -> ChannelLabels {
    guard let channels = unsafe ChannelLabels(data, size: count) else { throw badSize }
    return channels
  }
}
