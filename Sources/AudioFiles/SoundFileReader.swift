// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Reads a sound file as interleaved samples, in the form that the client asks for.
///
/// The sound is streamed: only what is read lies in memory.
///
/// - Note: Not real-time safe. One thread at a time.
public final class SoundFileReader {
  /// The file's name.
  public let path: String
  /// The kind of file, or nil where it can be read but not written.
  public let format: SoundFileFormat?
  /// The container and the encoding, as libsndfile names them where it knows the file.
  public let formatName: String
  /// The samples in a frame of the file.
  public let channelCount: Int
  /// Which loudspeaker each is for.
  public let layout: ChannelLayout
  /// Frames a second of the file.
  public let rate: SampleRate
  /// Frames in the file, as the file says; `Int.max` if it does not, or claims more than 2⁵⁰.
  ///
  /// What an encoder put before the sound and behind it is not counted, and not read, where the
  /// file says how much that is.
  public let frameCount: Int
  /// Whether that number is reckoned from a time that is not exact to the frame.
  public let isFrameCountEstimated: Bool
  /// What the file says of its sound.
  public let metadata: SoundFileMetadata
  /// The form in which samples are handed out.
  public private(set) var client: ClientFormat
  /// What the file is short of, by what it says of itself; nil where it is whole or does not say.
  ///
  /// Some files show it only when they have been read to their end.
  public private(set) var shortfall: SoundShortfall?
  /// The ways in which the file's packets can be decoded, the richest first; one for what has no
  /// layers.
  public let formats: [SoundLayer]
  private let source: any FrameSource
  private let stream: FileStream
  private let isPacked: Bool
  /// The frame of the file that is read next.
  private var place = 0
  private var conversion: ClientConversion

  private static let chunk = 8192
  /// The most frames that a file is believed to have, 185 years at 192 kHz: sums and products of
  /// larger lengths would not fit 64 bits.
  static let frameLimit = 1 << 50

  /// The most bytes of a pipe that are copied to the disk: 4 GB, as long as a WAV file can be.
  public static let usualLimit = 1 << 32

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: the file; a pipe or the like is first copied to the disk, to its end.
  ///   - client: the form in which to hand out samples.
  ///   - limit: the most bytes of a pipe that are copied.
  ///   - layer: the codec of one of `formats`, as which the packets are decoded; nil for the
  ///     richest. Of AAC only; other files have one.
  /// - Throws: `SoundFileError.tooMuch` beyond the limit, `SoundFileError.cannotOpen` where it is
  ///   missing or a folder, `SoundFileError.notSoundFile` where nobody knows it,
  ///   `SoundFileError.codecsMissing` where FFmpeg is needed and not there,
  ///   `SoundFileError.impossibleRateChange` where the client's rate cannot be had.
  public convenience init(
    path: String, client: ClientFormat = ClientFormat(),
    limit: Int = SoundFileReader.usualLimit, layer: SoundCodec? = nil
  ) throws(SoundFileError) {
    try self.init(FileStream.reading(path, limit: limit), path: path, client: client, layer: layer)
  }

  /// Opens what a descriptor gives, such as standard input; the descriptor stays open.
  ///
  /// - Throws: as for a path.
  public convenience init(
    descriptor: Int32, name: String, client: ClientFormat = ClientFormat(),
    limit: Int = SoundFileReader.usualLimit
  ) throws(SoundFileError) {
    try self.init(
      FileStream.reading(descriptor: descriptor, name: name, limit: limit), path: name,
      client: client)
  }

  /// Opens an encoded sound that is in no file, in any format that is read from files.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the whole file.
  ///   - name: what errors call it, and `path` is.
  ///   - client: the form in which to hand out samples.
  ///   - layer: the codec of one of `formats`; nil for the richest.
  /// - Throws: as for a path.
  public convenience init(
    bytes: [UInt8], name: String = "memory", client: ClientFormat = ClientFormat(),
    layer: SoundCodec? = nil
  ) throws(SoundFileError) {
    try self.init(source: SoundBytes(bytes), name: name, client: client, layer: layer)
  }

  /// Opens an encoded sound whose bytes are provided when they are read.
  ///
  /// - Throws: as for a path.
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

  /// The file's packets, as they are encoded; nil where a `PacketReader` finds none of its kinds.
  ///
  /// What is read next stays the same.
  ///
  /// - Complexity: O(n) in the number of packets, of bytes where there is no index.
  public func packets() -> PacketReader? {
    guard isPacked else { return nil }
    do {
      return try PacketReader(stream, path: path)
    } catch {
      return nil
    }
  }

  /// The bits of the file's integers; nil where its samples are none.
  package var integerBits: Int? { source.integerBits }

  /// The richest of `formats` that a decoder on this machine takes: the one that is read, where no
  /// other was asked for.
  public var firstPlayable: SoundLayer? { formats.first }

  /// Hands out samples in another form, from the next unread frame on.
  ///
  /// - Throws: `SoundFileError.impossibleRateChange` where the rate cannot be had; nothing has
  ///   changed then.
  public func setClient(_ client: ClientFormat) throws(SoundFileError) {
    conversion = try ClientConversion(client, rate: rate, layout: layout)
    self.client = client
  }

  /// Frames a second of what is handed out.
  public var clientRate: SampleRate { conversion.rate }

  /// The samples in a frame of what is handed out.
  public var clientChannelCount: Int { conversion.channelCount }

  /// The frames that the whole file gives in the client's form; `Int.max` where that is not known.
  public var clientFrameCount: Int {
    guard frameCount != .max, clientRate != rate else { return frameCount }
    let doubled = Int128(frameCount) * Int128(clientRate.hertz) * 2 + Int128(rate.hertz)
    return Int(clamping: doubled / (2 * Int128(rate.hertz)))
  }

  /// Reads up to a number of frames in single precision; empty at the end of the file.
  ///
  /// - Complexity: O(n) in the number of samples.
  public func read(frameCount limit: Int) -> [Float] {
    read(Float.self, frameCount: limit)
  }

  /// Reads up to a number of frames of a type; empty at the end of the file.
  ///
  /// Fewer than asked for come at the end only. Integers are the file's own bits where its samples
  /// have no more of them than the type.
  ///
  /// - Complexity: O(n) in the number of samples.
  public func read<Sample: AudioSample>(_ type: Sample.Type, frameCount limit: Int) -> [Sample] {
    if conversion.isIdentity, isDirect(type) { return readDirectly(type, limit) }
    while conversion.readyCount < limit, !conversion.isFinished {
      let samples = readDirectly(Double.self, chunkFrames)
      if samples.isEmpty { conversion.finish() } else { conversion.add(samples) }
    }
    return Sample.nearest(to: conversion.take(limit))
  }

  /// Reads up to a number of frames of a type into memory, as `read` does.
  ///
  /// - Parameter target: the memory, for whole frames; as many are read as fit.
  /// - Returns: the number of frames; fewer than fit only at the end.
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

  /// Goes to a frame of the file; the next frame read is that one.
  ///
  /// - Returns: false where the file does not reach there, or cannot be sought in.
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

  /// Whether the source's own reading loses nothing: its integers are cut off, not rounded.
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

  /// Takes note of an end that comes before the one that the file names; where the length is only
  /// reckoned from what there is, that is none.
  private func noteEnd() {
    guard shortfall == nil, frameCount != .max, place < frameCount,
      format?.container == .flac || format?.container == .caf
    else { return }
    shortfall = .frames(frameCount - place, of: frameCount)
  }

  /// Finds out whether all of the sound is there, where only reading it shows that; the next frame
  /// read is then the first.
  ///
  /// - Complexity: O(n) in the number of frames for FLAC, whose frames have no length; else O(1).
  public func lookForEnd() {
    guard shortfall == nil, format?.container == .flac, frameCount != .max else { return }
    while !readDirectly(Float.self, chunkFrames).isEmpty {}
    _ = locate(to: SampleTime(frames: 0))
  }
}
