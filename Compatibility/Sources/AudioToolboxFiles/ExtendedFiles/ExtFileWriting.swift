// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CCoreAudio
internal import CoreAudio
internal import CoreAudioHandles
internal import MusicalTime

/// A sound file that is written from a program's format.
///
/// An encoded file begins with its first frame, so that its codec can be set up before.
@safe final class ExtFileWriting {
  /// The type and format of the file.
  let type: AudioFileTypeID
  private(set) var description: AudioStreamBasicDescription
  /// The loudspeakers of the file's channels; nil if they are not stated.
  var layout: ChannelLabels?
  /// The program's format; nil until it is known.
  private(set) var form: PCMForm?
  /// The loudspeakers of the program's channels.
  var clientLayout: ChannelLabels?
  /// Frames of the file so far.
  private(set) var frameCount = 0
  /// True after the first frame.
  private(set) var hasBegun = false
  private let place: Place
  private var target: (any ExtFileTarget)?
  private var conversion: FrameConversion?
  private var hasFailed = false

  private static let step = 4096

  /// The file that is written.
  private enum Place {
    /// A file that is created.
    case path(String, SoundFileFormat, mayReplace: Bool)
    /// A file that the program created.
    case file(AudioFileObject)
  }

  /// Checks a new file.
  ///
  /// - Throws: `kAudioFileUnsupportedFileTypeError`, `kAudioFileUnsupportedDataFormatError`, or a
  ///   code for a file that cannot be created.
  init(
    _ path: String, _ type: AudioFileTypeID, _ description: AudioStreamBasicDescription,
    _ layout: ChannelLabels?, mayReplace: Bool
  ) throws(StatusError) {
    guard SoundFileKind.of(type)?.container != nil else {
      throw StatusError(kAudioFileUnsupportedFileTypeError)
    }
    let description = description.completed
    guard (1...1024).contains(description.mChannelsPerFrame), description.mSampleRate.isFinite,
      let format = SoundFileFormat(type, description),
      layout?.labels.count ?? Int(description.mChannelsPerFrame)
        == Int(description.mChannelsPerFrame)
    else { throw StatusError(kAudioFileUnsupportedDataFormatError) }
    (self.type, self.description, self.layout) = (type, description, layout)
    place = .path(path, format, mayReplace: mayReplace)
    if let form = PCMForm(description) { self.form = form }
    // It is opened again with the settings of its codec.
    if SampleRate(description: description.mSampleRate) != nil {
      try open(ConverterSettings())
      if isEncoded { target = nil }
    } else if description.mSampleRate != 0 {
      throw StatusError(kAudioFileUnsupportedDataFormatError)
    }
  }

  /// Writes to a file that the program created and closes.
  ///
  /// - Throws: `kAudioFilePermissionsError` if it was opened only to read.
  init(_ file: AudioFileObject) throws(StatusError) {
    guard file.permissions != .readPermission else { throw StatusError(kAudioFilePermissionsError) }
    (type, description) = try file.with { (content) throws(StatusError) in
      (content.type, content.format)
    }
    place = .file(file)
    if let form = PCMForm(description) { self.form = form }
  }

  private var isEncoded: Bool { PCMForm(description) == nil }

  /// Sets the program's format.
  ///
  /// - Throws: `kExtAudioFileError_InvalidOperationOrder` after the first frame.
  func setForm(_ form: PCMForm) throws(StatusError) {
    guard !hasBegun else { throw StatusError(kExtAudioFileError_InvalidOperationOrder) }
    if description.mSampleRate == 0 { description.mSampleRate = Double(form.rate.hertz) }
    self.form = form
  }

  private func open(_ settings: ConverterSettings) throws(StatusError) {
    guard target == nil else { return }
    guard let rate = SampleRate(description: description.mSampleRate) else {
      throw StatusError(kExtAudioFileError_InvalidDataFormat)
    }
    switch place {
    case .file(let file): target = try AudioFileTarget(file, description, settings)
    case .path(let path, let format, let mayReplace):
      var options = SoundFileWriter.Options()
      options.mayReplace = mayReplace
      options.layout = layout?.layout
      options.bitrate = settings.bitRate
      options.dither = settings.dither
      if format.hasByteOrder { options.byteOrder = SoundFileFormat.byteOrder(description) }
      do throws(SoundFileError) {
        target = WriterTarget(
          try SoundFileWriter(
            path: path, format: format, channelCount: Int(description.mChannelsPerFrame),
            rate: rate, options: options))
      } catch {
        throw StatusError(error)
      }
    }
  }

  private func begin(_ form: PCMForm, _ settings: ConverterSettings) throws(StatusError) {
    guard !hasBegun else { return }
    try open(settings)
    guard target != nil else { return }
    var settings = settings
    settings.inputLayout = settings.inputLayout ?? clientLayout
    settings.outputLayout = settings.outputLayout ?? layout
    let rate = SampleRate(description: description.mSampleRate) ?? form.rate
    do throws(SoundFileError) {
      let made = try FrameConversion(
        from: (form.rate, form.channelCount), to: (rate, Int(description.mChannelsPerFrame)),
        settings)
      conversion = made.isIdentity ? nil : made
    } catch {
      throw StatusError(kAudioConverterErr_InputSampleRateOutOfRange)
    }
    hasBegun = true
  }

  /// Writes frames.
  ///
  /// - Throws: `kExtAudioFileError_NonPCMClientFormat` without a format of the program; codes for
  ///   buffers of a wrong size, or a file that cannot be written.
  func write(
    _ frameCount: Int, _ list: UnsafeMutablePointer<AudioBufferList>, _ settings: ConverterSettings
  ) throws(StatusError) {
    guard !hasFailed else { throw StatusError(kAudioFileUnspecifiedError) }
    guard let form else { throw StatusError(kExtAudioFileError_NonPCMClientFormat) }
    try begin(form, settings)
    guard frameCount > 0 else { return }
    var input = SampleInput(form)
    try unsafe input.take(list, frameCount: frameCount)
    guard input.frameCount == frameCount else { throw .parameter }
    if conversion == nil, try unsafe writeDirectly(frameCount, list, form) { return }
    while input.frameCount > 0 {
      let values = input.values(Self.step)
      conversion?.push(values)
      try write(conversion?.take(Int.max) ?? values)
    }
  }

  /// Writes the program's memory; false if its samples are not native and interleaved.
  private func writeDirectly(
    _ frameCount: Int, _ list: UnsafeMutablePointer<AudioBufferList>, _ form: PCMForm
  ) throws(StatusError) -> Bool {
    guard form.bufferCount == 1, let data = unsafe list.pointee.mBuffers.mData,
      Int(bitPattern: data) % form.layout.byteCount == 0
    else { return false }
    let count = frameCount * form.channelCount
    switch form.sampleType {
    case .integer16: try unsafe write(Int16.self, data, count)
    case .integer32: try unsafe write(Int32.self, data, count)
    case .float32: try unsafe write(Float.self, data, count)
    case .float64: try unsafe write(Double.self, data, count)
    case nil: return false
    }
    return true
  }

  private func write<Sample: AudioSample>(
    _ type: Sample.Type, _ data: UnsafeMutableRawPointer, _ count: Int
  ) throws(StatusError) {
    let samples = unsafe UnsafeBufferPointer(
      start: data.bindMemory(to: type, capacity: count), count: count)
    try put(unsafe samples.span)
  }

  private func write(_ values: [Double]) throws(StatusError) {
    guard !values.isEmpty else { return }
    try put(values.span)
  }

  private func put<Sample: AudioSample>(_ samples: Span<Sample>) throws(StatusError) {
    guard let target else { return }
    do throws(StatusError) {
      try target.put(samples)
      frameCount += samples.count / Int(description.mChannelsPerFrame)
    } catch {
      // A writer is not used again after an error.
      hasFailed = true
      self.target = nil
      throw error
    }
  }

  /// Writes the last frames and gives the file its name.
  ///
  /// - Throws: a code for a file that cannot be written.
  func finish(_ settings: ConverterSettings) throws(StatusError) {
    guard !hasFailed else { throw StatusError(kAudioFileUnspecifiedError) }
    if conversion != nil {
      conversion?.finish()
      try write(conversion?.take(Int.max) ?? [])
    }
    // An encoded file that was never written to and does not have a rate is left out.
    guard SampleRate(description: description.mSampleRate) != nil else { return }
    try open(settings)
    try target?.finish()
    target = nil
  }
}
