// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
package import CCoreAudio
internal import CoreAudio
package import CoreAudioHandles

/// Samples that a program has given to a converter and that are not converted yet.
///
/// The program's memory is used until the end of the call; the rest is copied then.
@safe package struct SampleInput {
  /// The layout of the samples.
  package let form: PCMForm
  private var pointers: [UnsafeRawPointer] = unsafe []
  private var copies: [[UInt8]] = []
  private var (place, count) = (0, 0)

  /// Creates an input without samples.
  package init(_ form: PCMForm) { self.form = form }

  /// The number of frames that are left.
  package var frameCount: Int { count - place }

  /// Takes the buffers of a program.
  ///
  /// - Parameters:
  ///   - list: the buffers.
  ///   - frameCount: the number of frames that the program states.
  /// - Throws: `kAudioConverterErr_InvalidInputSize` if they do not contain a frame.
  package mutating func take(
    _ list: UnsafeMutablePointer<AudioBufferList>, frameCount: Int
  ) throws(StatusError) {
    let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
    guard unsafe buffers.count == form.bufferCount else { throw .parameter }
    (copies, place, count) = ([], 0, frameCount)
    unsafe pointers = []
    for index in unsafe buffers.indices {
      let buffer = unsafe buffers[index]
      guard let data = unsafe buffer.mData else {
        throw StatusError(kAudioConverterErr_InvalidInputSize)
      }
      unsafe pointers.append(UnsafeRawPointer(data))
      count = min(count, Int(unsafe buffer.mDataByteSize) / form.bytesPerFrame)
    }
    guard count > 0 else {
      forget()
      throw StatusError(kAudioConverterErr_InvalidInputSize)
    }
  }

  /// Takes samples as interleaved values.
  ///
  /// - Parameter limit: the largest number of frames.
  /// - Returns: the values, full scale at ±1.
  package mutating func values(_ limit: Int) -> [Double] {
    let frames = min(limit, frameCount)
    defer { place += frames }
    return unsafe [Double](unsafeUninitializedCapacity: frames * form.channelCount) {
      values, done in
      done = frames * form.channelCount
      guard let base = values.baseAddress else { return }
      for buffer in 0..<form.bufferCount {
        unsafe withBytes(buffer) { bytes in
          unsafe form.read(bytes, frameCount: frames, buffer: buffer, to: base)
        }
      }
    }
  }

  /// Copies samples as they are.
  ///
  /// - Parameters:
  ///   - buffers: the buffers of the target, which has the same layout.
  ///   - offset: the first frame in the target.
  ///   - limit: the largest number of frames.
  /// - Returns: the number of frames.
  package mutating func copy(
    to buffers: UnsafeMutableAudioBufferListPointer, at offset: Int, limit: Int
  ) -> Int {
    let frames = min(limit, frameCount)
    for index in 0..<form.bufferCount {
      let target = unsafe buffers[index].mData
      unsafe withBytes(index) { bytes in
        unsafe target?.advanced(by: offset * form.bytesPerFrame)
          .copyMemory(from: bytes, byteCount: frames * form.bytesPerFrame)
      }
    }
    place += frames
    return frames
  }

  private func withBytes(_ buffer: Int, _ body: (UnsafeRawPointer) -> Void) {
    let offset = place * form.bytesPerFrame
    if copies.isEmpty {
      if unsafe buffer < pointers.count { unsafe body(pointers[buffer] + offset) }
    } else {
      unsafe copies[buffer].withUnsafeBytes { bytes in
        if let base = bytes.baseAddress { unsafe body(base + offset) }
      }
    }
  }

  /// Copies what is left, so that the program may use its memory again.
  package mutating func keep() {
    guard frameCount > 0 else { return forget() }
    guard copies.isEmpty else { return }
    let (size, offset) = (form.bytesPerFrame, place * form.bytesPerFrame)
    copies = unsafe pointers.map { pointer in
      unsafe Array(UnsafeRawBufferPointer(start: pointer + offset, count: frameCount * size))
    }
    (count, place) = (frameCount, 0)
    unsafe pointers = []
  }

  /// Drops all samples.
  package mutating func forget() {
    (copies, place, count) = ([], 0, 0)
    unsafe pointers = []
  }
}

/// Packets that a program has given to a converter and that are not decoded yet.
package struct PacketInput {
  private var packets: [[UInt8]] = []
  private var place = 0

  /// Creates an input without packets.
  package init() {}

  /// True if no packet is left.
  package var isEmpty: Bool { place == packets.count }

  /// Copies the packets of a program.
  ///
  /// - Parameters:
  ///   - list: the buffer.
  ///   - packetCount: the number of packets.
  ///   - descriptions: the packets in the buffer; nil if they have the same size.
  ///   - format: the format of the packets.
  /// - Throws: `kAudioConverterErr_RequiresPacketDescriptionsError` without descriptions,
  ///   `kAudioConverterErr_InvalidInputSize` if a packet is not in the buffer.
  package mutating func take(
    _ list: UnsafeMutablePointer<AudioBufferList>, packetCount: Int,
    _ descriptions: UnsafePointer<AudioStreamPacketDescription>?,
    _ format: AudioStreamBasicDescription
  ) throws(StatusError) {
    let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
    guard unsafe buffers.count == 1 else { throw .parameter }
    let size = Int(unsafe buffers[0].mDataByteSize)
    guard let data = unsafe buffers[0].mData else {
      throw StatusError(kAudioConverterErr_InvalidInputSize)
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: size)
    let constant = Int(format.mBytesPerPacket)
    if unsafe descriptions == nil, constant == 0 {
      throw StatusError(kAudioConverterErr_RequiresPacketDescriptionsError)
    }
    var found: [[UInt8]] = []
    for index in 0..<packetCount {
      var (start, count) = (index * constant, constant)
      if let descriptions = unsafe descriptions {
        start = Int(clamping: unsafe descriptions[index].mStartOffset)
        count = Int(unsafe descriptions[index].mDataByteSize)
      }
      guard start >= 0, start <= size, count <= size - start else {
        if !found.isEmpty, unsafe descriptions == nil { break }
        throw StatusError(kAudioConverterErr_InvalidInputSize)
      }
      if count > 0 { found.append(unsafe Array(bytes[start..<start + count])) }
    }
    (packets, place) = (found, 0)
  }

  /// The next packet.
  ///
  /// - Returns: its bytes, or nil if none is left.
  package mutating func next() -> [UInt8]? {
    guard place < packets.count else { return nil }
    defer { place += 1 }
    return packets[place]
  }

  /// Drops all packets.
  package mutating func forget() { (packets, place) = ([], 0) }
}
