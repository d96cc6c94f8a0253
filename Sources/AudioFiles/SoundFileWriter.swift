// SPDX-License-Identifier: Apache-2.0
internal import CSndFile
internal import Glibc
public import MusicalTime

/// Writes interleaved samples to a sound file.
///
/// The file has a temporary name in the same folder until `finish()` has written the last byte. If
/// a writer is released earlier, the file is removed. The same samples always give the same bytes.
///
/// An integer of n bits is the sample times 2ⁿ⁻¹, rounded to the nearest (a half to even) and
/// clamped: with 16 bits, 1.0 becomes 32,767 and −1.0 becomes −32,768. NaN becomes 0.
///
/// - Note: Not real-time safe. Use from one thread at a time.
public final class SoundFileWriter {
  /// The settings of a new file.
  public struct Options: Hashable, Sendable {
    /// The expected length in frames; 0, the default, if the length is unknown.
    ///
    /// A WAV file that would exceed 4 GB is written as RF64.
    public var expectedFrameCount = 0
    /// The metadata to write; empty by default.
    ///
    /// Metadata that the container does not support is left out.
    public var metadata = SoundFileMetadata()
    /// True to replace an existing file with the same name when the new file is finished; true by
    /// default.
    public var mayReplace = true
    /// The loudspeaker of each channel; if nil, the default, the file does not state loudspeakers.
    public var layout: ChannelLayout?
    /// The noise that is added before samples are rounded to integers; none by default.
    public var dither = Dither.none

    /// True to use a free name, such as `take-2.wav`, if a file with the requested name exists and
    /// must not be replaced; false by default.
    ///
    /// Use it for sound that cannot be created again, such as a recording.
    public var takesFreeName = false

    /// The target bitrate of AAC, Opus or MP3 in bits per second; nil for the default.
    public var bitrate: Int?
    /// The quality of AAC, Opus, MP3 or Vorbis at a variable bitrate, 0…1, used if `bitrate` is
    /// nil; nil for the default.
    public var quality: Double?
    /// The byte order of samples in AIFF, CAF and AU files; nil for the container's default,
    /// big-endian.
    public var byteOrder: ByteOrder?

    /// Creates the default options.
    public init() {}
  }

  /// The order of the bytes of a number.
  public enum ByteOrder: String, Hashable, Sendable, CaseIterable {
    /// The least significant byte is first.
    case little
    /// The most significant byte is first.
    case big
  }

  /// The final name of the file.
  ///
  /// `finish()` changes the name if `Options.takesFreeName` is true and the requested name is in
  /// use.
  public private(set) var path: String
  /// The format of the file.
  public let format: SoundFileFormat
  /// The number of channels.
  public let channelCount: Int
  /// The number of frames that were written.
  public private(set) var frameCount = 0
  /// The number of samples that exceeded the range of the format and were clamped, or that were NaN
  /// and became 0.
  public private(set) var clampedSampleCount = 0

  private var file: TemporaryFile
  private let sink: any FrameSink
  private var integers: [Int32] = []
  /// The number of samples that are written in one step.
  private let step: Int
  private var noise = DitherNoise()
  private let frameLimit: Int
  private let rate: SampleRate
  private let metadata: SoundFileMetadata
  /// The loop as comments, if the container cannot store it otherwise.
  private let loop: LoopComments?
  private let dither: Dither
  private let takesFreeName: Bool

  private static let chunk = 4096

  /// Starts a file under a temporary name.
  ///
  /// - Parameters:
  ///   - path: The final name of the file.
  ///   - format: The format of the file.
  ///   - channelCount: The number of channels, 1…1024; some formats support fewer.
  ///   - rate: The sample rate.
  ///   - expectedFrameCount: The expected length in frames; 0 if it is unknown. A WAV file that
  ///     would exceed 4 GB is written as RF64.
  /// - Throws: `SoundFileError`, such as `.cannotCreate`, `.exists`, `.impossibleShape`,
  ///   `.libraryMissing` or `.codecsMissing`.
  public convenience init(
    path: String, format: SoundFileFormat, channelCount: Int = 2, rate: SampleRate,
    expectedFrameCount: Int = 0
  ) throws(SoundFileError) {
    var options = Options()
    options.expectedFrameCount = expectedFrameCount
    try self.init(
      path: path, format: format, channelCount: channelCount, rate: rate, options: options)
  }

  /// Starts a file under a temporary name, or a sound that is written to a file descriptor.
  ///
  /// - Parameters:
  ///   - path: The final name of the file.
  ///   - descriptor: A file descriptor to which `finish()` writes the bytes instead of a file. The
  ///     descriptor stays open.
  ///   - format: The format of the file.
  ///   - channelCount: The number of channels, 1…1024; some formats support fewer.
  ///   - rate: The sample rate.
  ///   - options: The settings of the file.
  /// - Throws: `SoundFileError`, such as `.cannotCreate`, `.exists`, `.impossibleShape`,
  ///   `.libraryMissing` or `.codecsMissing`.
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
    // FFmpeg writes these comments itself, without a placeholder.
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

  /// Writes interleaved samples.
  ///
  /// - Parameter samples: The samples; full scale is ±1 for floating point, and the end of the
  ///   range for integers.
  /// - Precondition: `samples` has complete frames, and `finish()` was not called.
  /// - Throws: `SoundFileError.cannotWrite` as soon as the disk is full, `.tooLarge` if the
  ///   container does not support the length.
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

  /// Writes the end of the file, and renames the file to its final name.
  ///
  /// - Throws: `SoundFileError.cannotWrite` if the disk is full, `.exists` if another file has the
  ///   name and must not be replaced. In these cases the file is removed.
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
    // Files with packets already contain them.
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

  /// Writes floating-point samples without a copy.
  private func writeUnchanged<Sample: AudioSample>(_ samples: Span<Sample>, _ frames: Int) -> Int {
    unsafe samples.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return Sample.sampleType == .float32
        ? unsafe sink.write(base.assumingMemoryBound(to: Float.self), frameCount: frames)
        : unsafe sink.write(base.assumingMemoryBound(to: Double.self), frameCount: frames)
    }
  }

  /// Clamps a value for a codec, because some codecs write outside their tables otherwise.
  ///
  /// The limit is full scale for μ-law and A-law, and 48 dB above it for other lossy codecs.
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
    // Rendered sound has this faster loop. The generic loop calls the type for each value.
    return unsafe samples.withUnsafeBytes { bytes in
      quantize(unsafe bytes.assumingMemoryBound(to: Float.self).span, frames, bits: bits)
    }
  }

  private func quantize<Sample: AudioSample>(
    _ samples: Span<Sample>, _ frames: Int, bits: Int
  ) -> Int {
    let (quantizer, shift) = (Quantizer(bits: bits), Int32(32 - bits))
    // Local copies avoid an exclusivity check of the properties for each sample.
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

  /// The first loop as comments, if the container cannot store it otherwise, and the license
  /// comment, whose space it uses, is not set.
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
