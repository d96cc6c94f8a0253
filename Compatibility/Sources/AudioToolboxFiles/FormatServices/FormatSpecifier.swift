// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioHandles

/// The value that a property of formats is asked about.
@safe struct FormatSpecifier {
  private let size: Int
  private let data: UnsafeRawPointer?

  init(_ size: UInt32, _ data: UnsafeRawPointer?) {
    unsafe self.data = data
    self.size = unsafe data == nil ? 0 : Int(size)
  }

  private static var badSize: StatusError { StatusError(kAudioFormatBadSpecifierSizeError) }

  /// The bytes; empty without a specifier.
  var bytes: [UInt8] {
    guard let data = unsafe data else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: data, count: size))
  }

  /// The value.
  ///
  /// - Throws: `kAudioFormatBadSpecifierSizeError`.
  func value<Value: BitwiseCopyable>(_ type: Value.Type = Value.self) throws(StatusError) -> Value {
    guard let data = unsafe data, size >= MemoryLayout<Value>.size else { throw Self.badSize }
    return unsafe data.loadUnaligned(as: type)
  }

  /// The elements of a list.
  ///
  /// - Throws: `kAudioFormatBadSpecifierSizeError` without a whole element.
  func list<Value: BitwiseCopyable>(_ type: Value.Type = Value.self) throws(StatusError) -> [Value]
  {
    let stride = MemoryLayout<Value>.stride
    guard let data = unsafe data, size >= stride, size % stride == 0 else { throw Self.badSize }
    return (0..<size / stride).map {
      unsafe data.loadUnaligned(fromByteOffset: $0 * stride, as: type)
    }
  }

  /// The channels of a layout.
  ///
  /// - Throws: `kAudioFormatBadSpecifierSizeError`.
  func channels() throws(StatusError) -> ChannelLabels {
    guard let data = unsafe data, let labels = unsafe ChannelLabels(data, size: size) else {
      throw Self.badSize
    }
    return labels
  }

  /// The channels of two layouts whose addresses are given.
  ///
  /// - Throws: `kAudioFormatBadSpecifierSizeError`, or the parameter error for nil.
  func twoLayouts() throws(StatusError) -> (ChannelLabels, ChannelLabels) {
    let addresses: [UInt] = try list()
    guard addresses.count == 2 else { throw Self.badSize }
    return (try Self.layout(addresses[0]), try Self.layout(addresses[1]))
  }

  private static func layout(_ address: UInt) throws(StatusError) -> ChannelLabels {
    guard let memory = unsafe UnsafeRawPointer(bitPattern: address) else { throw .parameter }
    // The layout states its own size.
    let count = unsafe memory.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    let size = 12 + 20 * Int(min(count, 1024))
    guard let labels = unsafe ChannelLabels(memory, size: size) else { throw .parameter }
    return labels
  }

  /// The format, and the bytes of the magic cookie, of an `AudioFormatInfo`.
  ///
  /// - Throws: `kAudioFormatBadSpecifierSizeError`.
  func formatAndCookie() throws(StatusError) -> (AudioStreamBasicDescription, [UInt8]) {
    // `ExtendedAudioFormatInfo` begins in the same way.
    let description: AudioStreamBasicDescription = try value()
    let head = unsafe MemoryLayout<AudioFormatInfo>.size
    guard let data = unsafe data, size >= head else {
      return (description, [])
    }
    let info = unsafe data.loadUnaligned(as: AudioFormatInfo.self)
    let pointer = unsafe info.mMagicCookie
    guard let cookie = unsafe pointer else { return (description, []) }
    let count = unsafe Int(info.mMagicCookieSize)
    return (description, unsafe Array(UnsafeRawBufferPointer(start: cookie, count: count)))
  }
}
