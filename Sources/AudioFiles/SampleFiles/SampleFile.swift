// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// An uncompressed sound file, whose samples are read and written as bytes.
///
/// WAVE, RF64, Wave64, AIFF, AIFF-C, AU and CAF files can be read and written at any position.
/// Samples are not converted: the bytes have the byte order and width of the file. For compressed
/// sound, use a `PacketReader`.
///
/// A new file has its final name at once. The header of the file is updated after each write, so
/// that no samples are lost if the program ends early. `close` adds the metadata.
///
/// - Note: Not real-time safe. Use from one thread at a time.
public final class SampleFile {
  /// The kind of access to a file.
  public enum Access: Hashable, Sendable {
    /// The file is opened for reading only.
    case reading
    /// The file is opened for reading and writing.
    case updating
  }

  /// The name of the file.
  public let path: String
  /// The container of the file.
  public let container: SampleContainer
  /// The layout of the samples.
  public let layout: PCMLayout
  /// The number of channels, 1…1024.
  public let channelCount: Int
  /// The sample rate in hertz, 1…2²⁴.
  public let hertz: Int
  /// The position of the first sample in the file, in bytes.
  public let dataOffset: Int64
  /// The number of bytes of all samples; an incomplete last frame is not counted when a file is
  /// opened.
  public private(set) var byteCount: Int64
  /// True if the file was opened for writing, so that samples can be written.
  public var isWritable: Bool { sizes != nil }
  /// True to update the sizes in the header after each write; true by default.
  ///
  /// If false, only `close` updates the sizes, which makes many small writes faster.
  public var updatesSizes = true

  private let stream: FileStream
  private let sizes: SampleFileSizes?
  /// The chunks after the samples of an existing file.
  private var tail: [UInt8] = []
  /// False if there are too many bytes after the samples to move them.
  private var isTailMovable = true
  /// True if the sizes and the tail must be written.
  private var isChanged = false
  /// True if this object created the file.
  private let isNew: Bool
  private var isClosed = false

  /// The largest tail that is moved when samples are added.
  private static let tailLimit: Int64 = 1 << 24

  /// The number of bytes of a frame.
  public var frameByteCount: Int { layout.byteCount * channelCount }
  /// The number of complete frames.
  public var frameCount: Int64 { byteCount / Int64(frameByteCount) }
  /// The codec of the samples: PCM, μ-law or A-law.
  public var codec: SoundCodec {
    switch layout.numbers {
    case .muLaw: .muLaw
    case .aLaw: .aLaw
    case .signed, .unsigned, .floating: .linearPCM
    }
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The name of the file.
  ///   - access: Read only, or read and write.
  /// - Throws: `SoundFileError.cannotOpen`; `.notSoundFile` if the file does not contain
  ///   uncompressed samples; `.notRegularFile` for a pipe that cannot be updated.
  public convenience init(path: String, access: Access = .reading) throws(SoundFileError) {
    let stream =
      access == .reading
      ? try FileStream.reading(path, limit: SoundFileReader.usualLimit)
      : try FileStream.updating(path)
    try self.init(stream, path: path, access: access)
  }

  /// Opens a file whose bytes are provided when they are read.
  ///
  /// - Parameters:
  ///   - source: The bytes of the whole file.
  ///   - name: The name that is used for `path` and in errors.
  /// - Throws: `SoundFileError.notSoundFile`.
  public convenience init(source: SoundBytes, name: String = "memory") throws(SoundFileError) {
    try self.init(FileStream(source), path: name, access: .reading)
  }

  /// Creates a file without samples.
  ///
  /// - Parameters:
  ///   - path: The name of the file, which is created by this call.
  ///   - container: The container.
  ///   - layout: The layout of the samples.
  ///   - channelCount: The number of channels, 1…1024.
  ///   - hertz: The sample rate in hertz, 1…2²⁴.
  ///   - mayReplace: True to empty an existing file; true by default.
  /// - Throws: `SoundFileError.impossibleShape` if the container does not support the layout,
  ///   channels or rate; `.exists`, `.cannotCreate`, `.cannotWrite`.
  public convenience init(
    creating path: String, container: SampleContainer, layout: PCMLayout, channelCount: Int,
    hertz: Int, mayReplace: Bool = true
  ) throws(SoundFileError) {
    guard container.holds(layout), (1...1024).contains(channelCount),
      (1...1 << 24).contains(hertz)
    else { throw .impossibleShape(path: path, channelCount: channelCount, hertz: hertz) }
    let head = SampleFileHead(
      container: container, layout: layout, channelCount: channelCount, hertz: hertz)
    let stream = try FileStream.creating(path, mayReplace: mayReplace)
    guard stream.put(head.bytes, at: 0) else {
      throw .cannotWrite(path: path, code: stream.failure)
    }
    try self.init(stream, path: path, head: head)
    try write(sizeFields(byteCount) ?? [])
  }

  private init(_ stream: FileStream, path: String, head: SampleFileHead) throws(SoundFileError) {
    (self.stream, self.path) = (stream, path)
    (container, layout) = (head.container, head.layout)
    (channelCount, hertz) = (head.channelCount, head.hertz)
    (dataOffset, byteCount, isChanged, isNew) = (stream.length, 0, true, true)
    sizes = SampleFileSizes(
      of: stream, container, isLittleEndian: head.container.isRiff)
  }

  private init(_ stream: FileStream, path: String, access: Access) throws(SoundFileError) {
    guard let found = FoundSamples(in: stream) else {
      throw .notSoundFile(path: path, reason: "it does not contain uncompressed samples")
    }
    (self.stream, self.path) = (stream, path)
    (container, layout) = (found.container, found.layout)
    (channelCount, hertz) = (found.channelCount, found.hertz)
    (dataOffset, byteCount, isNew) = (found.dataOffset, found.byteCount, false)
    sizes =
      access == .reading
      ? nil
      : SampleFileSizes(
        of: stream, found.container, isLittleEndian: found.isLittleEndian)
    if access == .updating { readTail(behind: found.storedByteCount) }
  }

  deinit {
    if isWritable, !isClosed { finishSizes() }
  }

  /// Reads bytes of the samples.
  ///
  /// - Parameters:
  ///   - buffer: The memory to fill.
  ///   - offset: The position of the first byte, relative to the first sample.
  /// - Returns: The number of bytes that were read; the buffer is filled completely, except at the
  ///   end of the samples.
  public func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    guard let base = buffer.baseAddress, offset >= 0, offset < byteCount else { return 0 }
    let count = Int(min(Int64(buffer.count), byteCount - offset))
    return unsafe stream.read(base, count, at: dataOffset + offset)
  }

  /// Writes bytes over existing samples, or after them.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the samples.
  ///   - offset: The position of the first byte, relative to the first sample, 0…`byteCount`.
  /// - Throws: `SoundFileError.tooLarge` if the container cannot state the size, in which case
  ///   nothing is written; `.cannotWrite` if the disk is full, the file is read-only or closed, or
  ///   the offset is out of range.
  public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SoundFileError) {
    guard isWritable, !isClosed, (0...byteCount).contains(offset) else {
      throw .cannotWrite(path: path, code: EINVAL)
    }
    guard let base = bytes.baseAddress, unsafe !bytes.isEmpty else { return }
    let end = offset + Int64(bytes.count)
    var fields: [(offset: Int64, bytes: [UInt8])] = []
    if end > byteCount {
      guard isTailMovable, let grown = sizeFields(end) else { throw .tooLarge(path: path) }
      fields = grown
    }
    guard stream.seek(dataOffset + offset, SEEK_SET) >= 0,
      unsafe stream.write(base, bytes.count) == bytes.count
    else { throw .cannotWrite(path: path, code: stream.failure) }
    guard end > byteCount else { return }
    (byteCount, isChanged) = (end, true)
    if updatesSizes { try write(fields) }
  }

  /// Updates the sizes, adds metadata to a new file, and closes the file.
  ///
  /// - Parameter metadata: The metadata for a new file; metadata that the container does not
  ///   support is left out. Nil for none. The metadata of an existing file does not change.
  /// - Throws: `SoundFileError.cannotWrite` if the disk is full.
  public func close(metadata: SoundFileMetadata? = nil) throws(SoundFileError) {
    guard !isClosed else { return }
    isClosed = true
    guard isWritable else { return }
    finishSizes()
    if let metadata, isNew {
      SampleFileMetadata(container, hertz: hertz).append(metadata, to: stream)
    }
    let code = stream.close()
    guard code == 0 else { throw .cannotWrite(path: path, code: code) }
  }
}

extension SampleFile {
  /// The number of padding bytes between the samples and the next chunk.
  private func padByteCount(behind byteCount: Int64) -> Int64 {
    switch container {
    case .wave, .rf64, .aiff, .aifc: byteCount % 2
    case .wave64: (8 - byteCount % 8) % 8
    case .au, .caf: 0
    }
  }

  /// Reads the chunks after the samples, which move when samples are added.
  ///
  /// - Parameter storedByteCount: The bytes of the samples, including an incomplete last frame.
  private func readTail(behind storedByteCount: Int64) {
    let end = dataOffset + storedByteCount + padByteCount(behind: storedByteCount)
    isTailMovable = stream.length - end <= Self.tailLimit
    guard isTailMovable, stream.length > end else { return }
    tail = stream.bytes(at: end, upTo: Int(stream.length - end)) ?? []
  }

  /// The size fields for a number of bytes of samples; nil if a field is too small for them and the
  /// tail.
  private func sizeFields(_ samples: Int64) -> [(offset: Int64, bytes: [UInt8])]? {
    let (end, frames) = (dataOffset + samples, samples / Int64(frameByteCount))
    // A pad byte and the tail fit as well.
    let most = end + Int64(tail.count) + 8
    guard sizes?.bytes(samples: samples, file: most, frames: frames) != nil else { return nil }
    return sizes?.bytes(samples: samples, file: end, frames: frames)
  }

  private func write(
    _ fields: [(offset: Int64, bytes: [UInt8])]
  ) throws(SoundFileError) {
    for (offset, bytes) in fields where !stream.put(bytes, at: offset) {
      throw .cannotWrite(path: path, code: stream.failure)
    }
  }

  /// Writes the tail and all sizes; the stream keeps an error.
  private func finishSizes() {
    guard isChanged, let sizes else { return }
    let end = dataOffset + byteCount
    // Readers of Wave64 read bytes after the last chunk as samples.
    let pads = container != .wave64 || !tail.isEmpty
    let rest = [UInt8](repeating: 0, count: pads ? Int(padByteCount(behind: byteCount)) : 0) + tail
    if !rest.isEmpty { _ = stream.put(rest, at: end) }
    let fields = sizes.bytes(
      samples: byteCount, file: end + Int64(rest.count),
      frames: byteCount / Int64(frameByteCount))
    for (offset, bytes) in fields ?? [] { _ = stream.put(bytes, at: offset) }
  }
}
