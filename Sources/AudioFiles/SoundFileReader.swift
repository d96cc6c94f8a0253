// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Reads a sound file as interleaved samples, with the sample rate and channels that your program
/// requests.
///
/// The sound is streamed: only the frames being read are in memory.
///
/// - Note: Not real-time safe. Use from one thread at a time.
public final class SoundFileReader {
  /// The name of the file.
  public let path: String
  /// The format of the file, or nil if it can be read but not written.
  public let format: SoundFileFormat?
  /// The names of the container and the encoding, as libsndfile names them if it can read the file.
  public let formatName: String
  /// The number of channels of the file.
  public let channelCount: Int
  /// The loudspeaker of each channel of the file.
  public let layout: ChannelLayout
  /// The sample rate of the file.
  public let rate: SampleRate
  /// The number of frames in the file; `Int.max` if the file does not state it, or states more than
  /// 2⁵⁰.
  ///
  /// If the file states the numbers of priming and remainder frames, these frames are neither
  /// counted nor read.
  public let frameCount: Int
  /// True if `frameCount` is an estimate, calculated from a duration that is not exact to the
  /// frame.
  public let isFrameCountEstimated: Bool
  /// The metadata of the file.
  public let metadata: SoundFileMetadata
  /// The sample rate and channels with which samples are read.
  public private(set) var client: ClientFormat
  /// The missing part of a truncated file; nil if the file is complete or does not state its
  /// length.
  ///
  /// For some files, the missing part is known only when the file has been read to its end.
  public private(set) var shortfall: SoundShortfall?
  /// The layers with which the file's packets can be decoded, best first; one entry if the codec
  /// has only one layer.
  public let formats: [SoundLayer]
  private let source: any FrameSource
  private let stream: FileStream
  private let isPacked: Bool
  /// The file's frame that is read next.
  private var place = 0
  private var conversion: ClientConversion

  private static let chunk = 8192
  /// The maximum number of frames, 185 years at 192 kHz.
  ///
  /// Sums and products of larger lengths would not fit into 64 bits.
  static let frameLimit = 1 << 50

  /// The default maximum size of a pipe that is copied to the disk, in bytes: 4 GiB, the maximum
  /// size of a WAV file.
  public static let usualLimit = 1 << 32

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The name of the file. A pipe is first copied to the disk, to its end.
  ///   - client: The sample rate and channels with which samples are read.
  ///   - limit: The maximum number of bytes of a pipe.
  ///   - layer: The codec of one of `formats` with which AAC is decoded; nil for the best one.
  ///     Other codecs ignore this parameter.
  /// - Throws: `SoundFileError.tooMuch` if a pipe exceeds the limit, `.cannotOpen` if the file does
  ///   not exist or is a folder, `.notSoundFile` if the format is unknown, `.codecsMissing` if
  ///   FFmpeg is required and not installed, `.impossibleRateChange` if the client's rate is not
  ///   supported.
  public convenience init(
    path: String, client: ClientFormat = ClientFormat(),
    limit: Int = SoundFileReader.usualLimit, layer: SoundCodec? = nil
  ) throws(SoundFileError) {
    try self.init(FileStream.reading(path, limit: limit), path: path, client: client, layer: layer)
  }

  /// Reads a sound from an open file descriptor, such as standard input.
  ///
  /// The descriptor stays open.
  ///
  /// - Parameters:
  ///   - descriptor: The file descriptor. A pipe is first copied to the disk, to its end.
  ///   - name: The name that is used for `path` and in errors.
  ///   - client: The sample rate and channels with which samples are read.
  ///   - limit: The maximum number of bytes of a pipe.
  /// - Throws: The errors of `init(path:client:limit:layer:)`.
  public convenience init(
    descriptor: Int32, name: String, client: ClientFormat = ClientFormat(),
    limit: Int = SoundFileReader.usualLimit
  ) throws(SoundFileError) {
    try self.init(
      FileStream.reading(descriptor: descriptor, name: name, limit: limit), path: name,
      client: client)
  }

  /// Opens an encoded sound in memory, in any format that is supported for files.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the whole file.
  ///   - name: The name that is used for `path` and in errors.
  ///   - client: The sample rate and channels with which samples are read.
  ///   - layer: The codec of one of `formats`; nil for the best one.
  /// - Throws: The errors of `init(path:client:limit:layer:)`.
  public convenience init(
    bytes: [UInt8], name: String = "memory", client: ClientFormat = ClientFormat(),
    layer: SoundCodec? = nil
  ) throws(SoundFileError) {
    try self.init(source: SoundBytes(bytes), name: name, client: client, layer: layer)
  }

  /// Opens an encoded sound whose bytes are provided when they are read.
  ///
  /// - Parameters:
  ///   - source: The bytes of the whole file.
  ///   - name: The name that is used for `path` and in errors.
  ///   - client: The sample rate and channels with which samples are read.
  ///   - layer: The codec of one of `formats`; nil for the best one.
  /// - Throws: The errors of `init(path:client:limit:layer:)`.
  public convenience init(
    source: SoundBytes, name: String = "memory", client: ClientFormat = ClientFormat(),
    layer: SoundCodec? = nil
  ) throws(SoundFileError) {
    try self.init(FileStream(source), path: name, client: client, layer: layer)
  }

  private init(
    _ stream: FileStream, path: String, client: ClientFormat, layer: SoundCodec? = nil
  ) throws(SoundFileError) {
    let opened = try OpenedSound.open(stream, path: path, layer: layer)
    self.path = path
    format = opened.format
    formatName = opened.formatName
    channelCount = opened.layout.roles.count
    layout = opened.layout
    rate = opened.rate
    frameCount = opened.frameCount > Self.frameLimit ? .max : opened.frameCount
    isFrameCountEstimated = opened.isEstimated
    metadata = opened.metadata
    shortfall = opened.shortfall
    formats = opened.layers
    self.client = client
    conversion = try ClientConversion(client, rate: rate, layout: layout)
    source = opened.source
    self.stream = stream
    isPacked = opened.isPacked || opened.format?.container == .mp3
  }

  /// Returns a reader of the file's encoded packets; nil if `PacketReader` does not support the
  /// container or codec.
  ///
  /// The position of this reader does not change.
  ///
  /// - Complexity: O(n) in the number of packets, or in the number of bytes if the file does not
  ///   have an index.
  public func packets() -> PacketReader? {
    guard isPacked else { return nil }
    do {
      return try PacketReader(stream, path: path)
    } catch {
      return nil
    }
  }

  /// The bits of the file's integers; nil if its samples are not integers.
  package var integerBits: Int? { source.integerBits }

  /// The best of `formats` that this machine can decode, which is used by default.
  public var firstPlayable: SoundLayer? { formats.first }

  /// Changes the sample rate and channels with which samples are read, from the next unread frame
  /// on.
  ///
  /// - Throws: `SoundFileError.impossibleRateChange` if the rate is not supported; the client
  ///   format then does not change.
  public func setClient(_ client: ClientFormat) throws(SoundFileError) {
    conversion = try ClientConversion(client, rate: rate, layout: layout)
    self.client = client
  }

  /// The sample rate of the samples that are read.
  public var clientRate: SampleRate { conversion.rate }

  /// The number of channels of the samples that are read.
  public var clientChannelCount: Int { conversion.channelCount }

  /// The number of frames of the whole file at the client's rate; `Int.max` if the number is
  /// unknown.
  public var clientFrameCount: Int {
    guard frameCount != .max, clientRate != rate else { return frameCount }
    let doubled = Int128(frameCount) * Int128(clientRate.hertz) * 2 + Int128(rate.hertz)
    return Int(clamping: doubled / (2 * Int128(rate.hertz)))
  }

  /// Reads up to a number of frames in single precision.
  ///
  /// - Parameter limit: The maximum number of frames.
  /// - Returns: The samples, interleaved; fewer frames only at the end of the file.
  /// - Complexity: O(n) in the number of samples.
  public func read(frameCount limit: Int) -> [Float] {
    read(Float.self, frameCount: limit)
  }

  /// Reads up to a number of frames as samples of a type.
  ///
  /// Integers are returned bit for bit if the file's integers do not have more bits than the type.
  ///
  /// - Parameters:
  ///   - type: The type of the samples.
  ///   - limit: The maximum number of frames.
  /// - Returns: The samples, interleaved; fewer frames only at the end of the file, and none after
  ///   it.
  /// - Complexity: O(n) in the number of samples.
  public func read<Sample: AudioSample>(_ type: Sample.Type, frameCount limit: Int) -> [Sample] {
    if conversion.isIdentity, isDirect(type) { return readDirectly(type, limit) }
    while conversion.readyCount < limit, !conversion.isFinished {
      let samples = readDirectly(Double.self, chunkFrames)
      if samples.isEmpty { conversion.finish() } else { conversion.add(samples) }
    }
    return Sample.nearest(to: conversion.take(limit))
  }

  /// Reads frames into memory, as many as fit.
  ///
  /// - Parameter target: The memory to fill with interleaved samples.
  /// - Returns: The number of frames; the memory is filled completely, except at the end of the
  ///   file.
  /// - Complexity: O(n) in the number of samples.
  public func read<Sample: AudioSample>(into target: inout MutableSpan<Sample>) -> Int {
    let limit = target.count / clientChannelCount
    guard conversion.isIdentity, isDirect(Sample.self), limit > 0 else {
      let samples = read(Sample.self, frameCount: limit)
      unsafe target.withUnsafeMutableBufferPointer { _ = unsafe $0.update(fromContentsOf: samples) }
      return samples.count / clientChannelCount
    }
    return unsafe target.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      return unsafe readDirectly(base, limit)
    }
  }

  /// Seeks to a frame, which is the next one that is read.
  ///
  /// - Parameter position: The frame, at the file's rate.
  /// - Returns: True if the position was changed; false if it is negative or after the end, or if
  ///   the file does not support seeking.
  public func locate(to position: SampleTime) -> Bool {
    guard position.frames >= 0, source.seek(to: position.frames) else { return false }
    place = Int(position.frames)
    do {
      conversion = try ClientConversion(client, rate: rate, layout: layout)
    } catch {
      return false
    }
    return true
  }

  private var chunkFrames: Int {
    FrameChunk.frameCount(atMost: Self.chunk, channelCount: channelCount)
  }

  /// True if the source can return the type without loss.
  ///
  /// It truncates integers instead of rounding them.
  private func isDirect<Sample: AudioSample>(_ type: Sample.Type) -> Bool {
    guard let bits = type.sampleType.integerBits else { return true }
    guard let own = source.integerBits else { return false }
    return own <= bits
  }

  private func readDirectly<Sample: AudioSample>(_ type: Sample.Type, _ limit: Int) -> [Sample] {
    unsafe [Sample](unsafeUninitializedCapacity: limit * channelCount) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      count = unsafe readDirectly(base, limit) * channelCount
    }
  }

  private func readDirectly<Sample: AudioSample>(
    _ target: UnsafeMutablePointer<Sample>, _ limit: Int
  ) -> Int {
    let frames = unsafe source.read(target, as: Sample.sampleType, frameCount: limit)
    place += frames
    if frames < limit { noteEnd() }
    return frames
  }

  /// Notes an end that is before the stated one, unless the length is an estimate.
  private func noteEnd() {
    guard shortfall == nil, frameCount != .max, place < frameCount,
      format?.container == .flac || format?.container == .caf
    else { return }
    shortfall = .frames(frameCount - place, of: frameCount)
  }

  /// Checks that the sound is complete, and seeks to its start.
  ///
  /// The result is in `shortfall`. The sound is read only if the check is not possible without
  /// reading.
  ///
  /// - Complexity: O(n) in the number of frames for FLAC, whose frames do not state their length;
  ///   O(1) for other formats.
  public func lookForEnd() {
    guard shortfall == nil, format?.container == .flac, frameCount != .max else { return }
    while !readDirectly(Float.self, chunkFrames).isEmpty {}
    _ = locate(to: SampleTime(frames: 0))
  }
}
