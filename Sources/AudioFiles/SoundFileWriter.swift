// SPDX-License-Identifier: Apache-2.0
internal import CSndFile
internal import Glibc
public import MusicalTime

/// Writes a sound file from interleaved samples.
///
/// The file grows under a temporary name in the same folder and takes its own when `finish()` has
/// written the last byte; a writer that is freed without it leaves nothing behind. The same samples
/// give the same bytes.
///
/// Integers are the sample times 2ⁿ⁻¹, rounded to the nearest (a half to even) and held within
/// range: 1.0 becomes 32767 of 16 bits, −1.0 becomes −32768. What is not a number becomes 0.
///
/// - Note: Not real-time safe. One thread at a time.
public final class SoundFileWriter {
  /// What a file is given besides its sound.
  public struct Options: Hashable, Sendable {
    /// The expected length in frames, 0 where it is not known: a WAV file that would pass 4 GB
    /// becomes an RF64 file; 0 by default.
    public var expectedFrameCount = 0
    /// The metadata, of which the file holds as much as its container can; none by default.
    public var metadata = SoundFileMetadata()
    /// Whether a file that has the name by the time the sound is complete is replaced; true by
    /// default.
    public var mayReplace = true
    /// Which loudspeaker each channel is for; nil says nothing.
    public var layout: ChannelLayout?
    /// The noise that is added before samples are rounded to integers; none by default.
    public var dither = Dither.none

    /// Whether the file takes a free name beside its own, such as `take-2.wav`, where its own is
    /// taken by the end and may not be replaced: for sound that cannot be made again; false by
    /// default.
    public var takesFreeName = false

    /// The bits a second that a lossy codec is to come near to: AAC, Opus, MP3; nil for its usual
    /// rate.
    public var bitrate: Int?
    /// The quality that a lossy codec is to keep at a variable rate, 0…1, where no bitrate is asked
    /// for: AAC, Opus, MP3, Vorbis; nil for its usual one.
    public var quality: Double?
    /// The order of the bytes of a sample, in AIFF, CAF and AU files; nil for the container's usual
    /// one, which is big-endian.
    public var byteOrder: ByteOrder?

    /// Creates the ordinary options.
    public init() {}
  }

  /// An order of the bytes of a number.
  public enum ByteOrder: String, Hashable, Sendable, CaseIterable {
    /// The lowest byte first.
    case little
    /// The highest byte first.
    case big
  }

  /// The name the file is to have or, once it is finished, has.
  public private(set) var path: String
  /// The kind of file.
  public let format: SoundFileFormat
  /// The samples in a frame.
  public let channelCount: Int
  /// Frames taken so far.
  public private(set) var frameCount = 0
  /// Samples that an integer file could not hold and that were brought to full scale, or to 0.
  public private(set) var clampedSampleCount = 0

  private var file: TemporaryFile
  private let sink: any FrameSink
  private var integers: [Int32] = []
  /// The samples that are written at once.
  private let step: Int
  private var noise = DitherNoise()
  private let frameLimit: Int
  private let rate: SampleRate
  private let metadata: SoundFileMetadata
  /// The loop as comments, where the container has no other place for it.
  private let loop: LoopComments?
  private let dither: Dither
  private let takesFreeName: Bool

  private static let chunk = 4096

  /// Creates a file that has no name yet.
  ///
  /// - Parameters:
  ///   - path: the name the file is to have.
  ///   - format: the kind of file.
  ///   - channelCount: the samples in a frame, 1…1024; a format may allow fewer.
  ///   - rate: frames a second.
  ///   - expectedFrameCount: the expected length, 0 where it is not known: a WAV file that would
  ///     pass 4 GB becomes an RF64 file.
  /// - Throws: where the folder cannot be written to or the format cannot hold the sound.
  public convenience init(
    path: String, format: SoundFileFormat, channelCount: Int = 2, rate: SampleRate,
    expectedFrameCount: Int = 0
  ) throws(SoundFileError) {
    var options = Options()
    options.expectedFrameCount = expectedFrameCount
    try self.init(
      path: path, format: format, channelCount: channelCount, rate: rate, options: options)
  }

  /// Creates a file that has no name yet, or whose bytes go to a pipe.
  ///
  /// - Parameters:
  ///   - path: the name the file is to have.
  ///   - descriptor: where the bytes go in place of a file, all at once by `finish()`; it stays
  ///     open.
  ///   - format: the kind of file.
  ///   - channelCount: the samples in a frame, 1…1024; a format may allow fewer.
  ///   - rate: frames a second.
  ///   - options: what it is given besides its sound.
  /// - Throws: where the folder cannot be written to or the format cannot hold the sound.
  public init(
    path: String, descriptor: Int32? = nil, format: SoundFileFormat, channelCount: Int,
    rate: SampleRate, options: Options
  ) throws(SoundFileError) {
    let limit = Self.frameLimit(format, channelCount: channelCount)
    let large = options.expectedFrameCount > limit
    if options.byteOrder != nil, !format.hasByteOrder {
      throw .impossibleByteOrder(path: path)
    }
    if large, format.container == .aiff { throw .tooLarge(path: path) }
    if let descriptor {
      file = try TemporaryFile(descriptor: descriptor, name: path)
    } else {
      file = try TemporaryFile(target: path, mayReplace: options.mayReplace)
    }
    // Where FFmpeg writes the comments, none is there to be replaced.
    let isPlain = format.container != .opus || options.bitrate == nil && options.quality == nil
    let loop = isPlain ? Self.loopComments(of: options.metadata, in: format.container) : nil
    var told = options
    if let loop { told.metadata.tags[.license] = loop.placeholder }
    sink = try Self.sink(
      on: file.stream, format: format, large: large, channelCount: channelCount, rate: rate,
      options: told, path: path)
    self.path = path
    self.format = format
    self.channelCount = channelCount
    self.rate = rate
    metadata = options.metadata
    self.loop = loop
    frameLimit = large ? .max : limit
    dither = options.dither
    takesFreeName = options.takesFreeName
    step = channelCount * FrameChunk.frameCount(atMost: Self.chunk, channelCount: channelCount)
    integers = Array(repeating: 0, count: step)
  }

  private static func sink(
    on stream: FileStream, format: SoundFileFormat, large: Bool, channelCount: Int,
    rate: SampleRate, options: Options, path: String
  ) throws(SoundFileError) -> any FrameSink {
    let hertz = Int(rate.hertz)
    if let recipe = EncodingRecipe(
      format, bitrate: options.bitrate, quality: options.quality, channelCount: channelCount,
      hertz: hertz)
    {
      return try EncodedSink(
        stream, recipe, channelCount: channelCount, hertz: hertz, options, path: path)
    }
    let order = options.byteOrder.map { Int32($0 == .little ? SF_ENDIAN_LITTLE : SF_ENDIAN_BIG) }
    let shape = shape(format.code(large: large) | (order ?? 0), channelCount, rate)
    guard SoundFileHandle.canWrite(shape) else {
      throw .impossibleShape(path: path, channelCount: channelCount, hertz: hertz)
    }
    do {
      return try SndFileSink(stream, shape, format, options, path: path)
    } catch {
      throw creationError(error, stream.failure, shape)
    }
  }

  /// Adds interleaved samples.
  ///
  /// - Precondition: the count is a whole number of frames, and `finish()` was not called.
  /// - Throws: `SoundFileError.cannotWrite` as soon as the disk is full, or
  ///   `SoundFileError.tooLarge` where the container cannot hold more.
  /// - Complexity: O(n) in the number of samples.
  public func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(SoundFileError) {
    precondition(samples.count % channelCount == 0, "samples must be whole frames")
    guard frameCount <= frameLimit - samples.count / channelCount else {
      throw .tooLarge(path: path)
    }
    for start in stride(from: 0, to: samples.count, by: step) {
      try writeChunk(samples.extracting(start..<min(start + step, samples.count)))
    }
  }

  /// Writes the last byte and gives the file its name.
  ///
  /// - Throws: `SoundFileError.cannotWrite` where the disk is full, `SoundFileError.exists` where
  ///   another has taken the name and may not be replaced; nothing is left then.
  public func finish() throws(SoundFileError) {
    let encoded = sink.close()
    try check(encoded, "the encoder failed at the end")
    switch format.container {
    case .ogg, .opus:
      try check(loop?.write(to: file.stream) ?? true, "the comments cannot be found")
      let named = OggSerial.fix(in: file.stream)
      try check(named, "the Ogg pages are out of order")
    case .flac:
      let told = FLACMetadata.add(metadata, rate: rate, to: file.stream)
      try check(told, "the metadata cannot be added")
    case .aiff:
      let told = AIFFMetadata.append(metadata, to: file.stream)
      try check(told, "the markers cannot be added")
    // Files of packets have them already.
    case .caf where format.encoding.bytes != nil:
      let told = CAFDescribingChunks.append(metadata, to: file.stream)
      try check(told, "the markers cannot be added")
    case .wav, .rf64:
      let cleared = PeakStamp.clear(in: file.stream)
      try check(cleared, "the header cannot be read again")
      let told = RiffChunks.append(metadata, rate: rate, to: file.stream)
      try check(told, "the markers cannot be added")
    default: break
    }
    try file.keep(underFreeName: takesFreeName)
    path = file.target
  }

  private func check(_ succeeded: Bool, _ reason: String) throws(SoundFileError) {
    let code = file.stream.failure
    guard code == 0 else { throw .cannotWrite(path: path, code: code) }
    guard succeeded else { throw .cannotEncode(path: path, reason: reason) }
  }

  private func writeChunk<Sample: AudioSample>(_ samples: Span<Sample>) throws(SoundFileError) {
    let frames = samples.count / channelCount
    let written =
      if let bits = format.encoding.integerBits {
        writeIntegers(samples, frames, bits: bits)
      } else {
        writeFloatingPoint(samples, frames)
      }
    frameCount += written
    guard written < frames else { return }
    let code = file.stream.failure
    throw code == 0
      ? .cannotEncode(path: path, reason: sink.reason) : .cannotWrite(path: path, code: code)
  }

  private func writeFloatingPoint<Sample: AudioSample>(_ samples: Span<Sample>, _ frames: Int)
    -> Int
  {
    let isHeld = !format.encoding.isFloatingPoint
    guard isHeld || Sample.sampleType.integerBits != nil else {
      return writeUnchanged(samples, frames)
    }
    let values = samples.indices.map { isHeld ? hold(samples[$0].value) : samples[$0].value }
    return unsafe values.withUnsafeBufferPointer {
      unsafe $0.baseAddress.map { unsafe sink.write($0, frameCount: frames) } ?? 0
    }
  }

  /// Writes floating point without a copy.
  private func writeUnchanged<Sample: AudioSample>(_ samples: Span<Sample>, _ frames: Int) -> Int {
    unsafe samples.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return Sample.sampleType == .float32
        ? unsafe sink.write(base.assumingMemoryBound(to: Float.self), frameCount: frames)
        : unsafe sink.write(base.assumingMemoryBound(to: Double.self), frameCount: frames)
    }
  }

  /// A codec is given numbers within its range only; some write past their tables otherwise.
  ///
  /// μ-law and A-law end at full scale, and other lossy codecs here 48 dB above it.
  private func hold(_ value: Double) -> Double {
    let limit: Double = format.encoding == .muLaw || format.encoding == .aLaw ? 1 : 256
    guard !(value.magnitude <= limit) else { return value }
    clampedSampleCount += 1
    return value.isFinite ? (value < 0 ? -limit : limit) : 0
  }

  private func writeIntegers<Sample: AudioSample>(
    _ samples: Span<Sample>, _ frames: Int, bits: Int
  ) -> Int {
    guard Sample.self == Float.self else { return quantize(samples, frames, bits: bits) }
    // What is rendered has a loop of its own; the other asks the type for each sample's value.
    return unsafe samples.withUnsafeBytes { bytes in
      quantize(unsafe bytes.assumingMemoryBound(to: Float.self).span, frames, bits: bits)
    }
  }

  private func quantize<Sample: AudioSample>(
    _ samples: Span<Sample>, _ frames: Int, bits: Int
  ) -> Int {
    let (quantizer, shift) = (Quantizer(bits: bits), Int32(32 - bits))
    // In variables of its own: the writer's would be checked at each sample for another use.
    var (noise, clampedCount) = (noise, 0)
    let addsNoise = dither != .none
    let written = unsafe integers.withUnsafeMutableBufferPointer { integers in
      for index in samples.indices {
        let added = addsNoise ? noise.next() : 0
        let sample = quantizer.integer(samples[index].value, dither: added)
        unsafe integers[index] = sample.integer &<< shift
        if sample.wasClamped { clampedCount += 1 }
      }
      return unsafe integers.baseAddress.map { unsafe sink.write($0, frameCount: frames) } ?? 0
    }
    self.noise = noise
    clampedSampleCount += clampedCount
    return written
  }

  /// The first loop, where the container's only place for it is a comment; a license, whose place
  /// that would be, goes before.
  private static func loopComments(
    of metadata: SoundFileMetadata, in container: SoundFileFormat.Container
  ) -> LoopComments? {
    guard [.ogg, .opus].contains(container), metadata.tags[.license] == nil else {
      return nil
    }
    return metadata.instrument?.loops.first.map { LoopComments($0.frames) }
  }

  private static func frameLimit(_ format: SoundFileFormat, channelCount: Int) -> Int {
    guard let bytes = format.encoding.bytes, let limit = format.byteLimit else { return .max }
    return limit / (bytes * max(1, channelCount))
  }

  private static func shape(_ code: Int32, _ channelCount: Int, _ rate: SampleRate) -> SF_INFO {
    var shape = SF_INFO()
    shape.format = code
    shape.channels = Int32(clamping: channelCount)
    shape.samplerate = Int32(rate.hertz)
    return shape
  }

  private static func creationError(
    _ error: SoundFileError, _ code: Int32, _ shape: SF_INFO
  ) -> SoundFileError {
    guard case .notSoundFile(let path, _) = error else { return error }
    guard code == 0 else { return .cannotWrite(path: path, code: code) }
    return .impossibleShape(
      path: path, channelCount: Int(shape.channels), hertz: Int(shape.samplerate))
  }
}
