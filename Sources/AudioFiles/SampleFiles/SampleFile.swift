// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The samples of an uncompressed sound file, as the bytes that the file contains.
///
/// Reads and writes WAVE, RF64, Wave64, AIFF, AIFF-C, AU and CAF at any position, without a
/// conversion: the byte order and the width of the samples are those of the file. Compressed sound is
/// read by a `PacketReader`.
///
/// A new file is under its name from the first byte, and after each write its header states the
/// samples that were written, so that a program that ends early loses none of them. `close` adds the
/// metadata.
///
/// - Note: Not real-time safe. One thread at a time.
public final class SampleFile {
  /// The ways to open a file.
  public enum Access: Hashable, Sendable {
    /// Only to read.
    case reading
    /// To read and write.
    case updating
  }

  /// The file's name.
  public let path: String
  /// The container.
  public let container: SampleContainer
  /// The layout of the samples.
  public let layout: PCMLayout
  /// The number of samples in a frame: 1…1024.
  public let channelCount: Int
  /// Frames per second: 1…2²⁴.
  public let hertz: Int
  /// The offset of the first sample in the file, in bytes.
  public let dataOffset: Int64
  /// The number of bytes of the samples, a whole number of frames when a file is opened.
  public private(set) var byteCount: Int64
  /// True if samples can be written.
  public var isWritable: Bool { sizes != nil }
  /// False to state the sizes in `close` only, which makes many small writes faster; true by default.
  public var updatesSizes = true

  private let stream: FileStream
  private let sizes: SampleFileSizes?
  /// The chunks behind the samples of a file that was opened.
  private var tail: [UInt8] = []
  /// False if too many bytes are behind the samples.
  private var isTailMovable = true
  /// True if the sizes and the tail have to be written.
  private var isChanged = false
  /// True if the file was created here.
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
  ///   - path: the file.
  ///   - access: the way to open it.
  /// - Throws: `SoundFileError.cannotOpen`; `.notSoundFile` if the file does not contain uncompressed
  ///   samples; `.notRegularFile` for a pipe that cannot be updated.
  public convenience init(path: String, access: Access = .reading) throws(SoundFileError) {
    let stream =
      access == .reading
      ? try FileStream.reading(path, limit: SoundFileReader.usualLimit)
      : try FileStream.updating(path)
    try self.init(stream, path: path, access: access)
  }

  /// Opens bytes that are provided when they are read.
  ///
  /// - Parameters:
  ///   - source: the bytes of the whole file.
  ///   - name: the name in errors.
  /// - Throws: `SoundFileError.notSoundFile`.
  public convenience init(source: SoundBytes, name: String = "memory") throws(SoundFileError) {
    try self.init(FileStream(source), path: name, access: .reading)
  }

  /// Creates a file without samples.
  ///
  /// - Parameters:
  ///   - path: the file; it exists when this returns.
  ///   - container: the container.
  ///   - layout: the layout of the samples.
  ///   - channelCount: the number of samples in a frame: 1…1024.
  ///   - hertz: frames per second: 1…2²⁴.
  ///   - mayReplace: true to empty a file that has the name; true by default.
  /// - Throws: `SoundFileError.impossibleShape` if the container cannot store such samples;
  ///   `.exists`, `.cannotCreate`, `.cannotWrite`.
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
  ///   - buffer: receives the bytes.
  ///   - offset: the offset of the first byte from the first sample.
  /// - Returns: the number of bytes; less than the buffer's only at the end of the samples.
  public func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    guard let base = buffer.baseAddress, offset >= 0, offset < byteCount else { return 0 }
    let count = Int(min(Int64(buffer.count), byteCount - offset))
    return unsafe stream.read(base, count, at: dataOffset + offset)
  }

  /// Writes bytes of samples, over those that exist or behind them.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - offset: the offset of the first byte from the first sample: 0…`byteCount`.
  /// - Throws: `SoundFileError.tooLarge` if the container cannot state the size, and nothing was
  ///   written; `.cannotWrite` if the disk is full, the file is open to be read only, or the offset
  ///   is behind the end.
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

  /// States the size of the samples, and closes the file.
  ///
  /// - Parameter metadata: the metadata, of which the file stores as much as its container can; nil
  ///   for none. Files that were opened keep their own.
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
  /// The bytes behind a number of bytes of samples up to the next chunk.
  private func padByteCount(behind byteCount: Int64) -> Int64 {
    switch container {
    case .wave, .rf64, .aiff, .aifc: byteCount % 2
    case .wave64: (8 - byteCount % 8) % 8
    case .au, .caf: 0
    }
  }

  /// Keeps the chunks behind the samples, which move when samples are added.
  ///
  /// - Parameter storedByteCount: bytes of the samples with those of an incomplete last frame.
  private func readTail(behind storedByteCount: Int64) {
    let end = dataOffset + storedByteCount + padByteCount(behind: storedByteCount)
    isTailMovable = stream.length - end <= Self.tailLimit
    guard isTailMovable, stream.length > end else { return }
    tail = stream.bytes(at: end, upTo: Int(stream.length - end)) ?? []
  }

  /// The fields for a number of bytes of samples; nil if they cannot state it and the tail.
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

  /// Writes the tail and all sizes; failures are noted in the stream.
  private func finishSizes() {
    guard isChanged, let sizes else { return }
    let end = dataOffset + byteCount
    // Readers of Wave64 take bytes behind the last chunk for samples.
    let pads = container != .wave64 || !tail.isEmpty
    let rest = [UInt8](repeating: 0, count: pads ? Int(padByteCount(behind: byteCount)) : 0) + tail
    if !rest.isEmpty { _ = stream.put(rest, at: end) }
    let fields = sizes.bytes(
      samples: byteCount, file: end + Int64(rest.count),
      frames: byteCount / Int64(frameByteCount))
    for (offset, bytes) in fields ?? [] { _ = stream.put(bytes, at: offset) }
  }
}
