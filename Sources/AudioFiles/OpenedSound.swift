// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg
internal import CSndFile
internal import MusicalTime

/// A sound file that was opened with the reader for its format, and its description.
struct OpenedSound {
  var source: any FrameSource
  var format: SoundFileFormat?
  var formatName: String
  var layout: ChannelLayout
  var rate: SampleRate
  /// `Int.max` if it is unknown.
  var frameCount: Int
  var isEstimated = false
  /// True if this module located its packets.
  var isPacked = false
  var metadata = SoundFileMetadata()
  var layers: [SoundLayer] = []
  var shortfall: SoundShortfall?

  /// Opens a file by its content, preferably with libsndfile.
  ///
  /// - Throws: `SoundFileError.midiFile`; `.notSoundFile` for an unknown format, `.cutOff` if the
  ///   file is truncated; `.codecsMissing` if it needs FFmpeg.
  static func open(
    _ stream: FileStream, path: String, layer: SoundCodec?
  ) throws(SoundFileError) -> OpenedSound {
    guard stream.length != 0 else { throw .notSoundFile(path: path, reason: "it is empty") }
    let content = SoundContent(of: stream)
    switch content {
    case .mp4:
      if let sound = try mp4(stream, path: path, layer: layer) { return sound }
      return try demuxed(stream, path: path)
    case .caf: return try caf(stream, path: path, layer: layer)
    case .ac3: return try ac3(stream, path: path)
    case .adts: return try adts(stream, path: path, layer: layer)
    case .foreign: return try demuxed(stream, path: path)
    case .midi: throw .midiFile(path: path)
    case .wave64: return try wave64(stream, path: path)
    case .other: return try sndFile(stream, path: path)
    }
  }

  static func sndFile(
    _ stream: FileStream, path: String
  ) throws(SoundFileError) -> OpenedSound {
    let shortfall = ContainerSurvey.shortfall(of: stream)
    if let sound = mp3(stream, shortfall, path: path) { return sound }
    _ = stream.seek(0, 0)
    do {
      var sound = try OpenedSound(SndFileFrames(stream, path: path), shortfall, path: path)
      let seconds = Double(sound.frameCount) / Double(sound.rate.hertz)
      sound.metadata.addOwn(of: stream, seconds: sound.frameCount == .max ? nil : seconds)
      sound.continueChain(of: stream, path: path)
      return sound
    } catch {
      guard case .notSoundFile = error else { throw error }
      if let shortfall { return try shortened(stream, shortfall, path: path) }
      guard unsafe cffmpeg_table() != nil else { throw error }
      // If both fail, the error of libsndfile is more useful.
      do { return try demuxed(stream, path: path) } catch {}
      throw error
    }
  }

  /// Opens a truncated file that libsndfile cannot open: of FLAC in Ogg the available part can be
  /// read.
  private static func shortened(
    _ stream: FileStream, _ shortfall: SoundShortfall, path: String
  ) throws(SoundFileError) -> OpenedSound {
    if shortfall == .lastPage, unsafe cffmpeg_table() != nil {
      do {
        var sound = try demuxed(stream, path: path)
        sound.shortfall = shortfall
        return sound
      } catch {
        // Too little is left.
      }
    }
    // This reason is more exact than that of libsndfile.
    throw .cutOff(path: path, shortfall)
  }

  /// For chained Ogg, reads all links instead of the first one, which is all that libsndfile reads.
  ///
  /// Radio stations send such streams, with a link for each title. Their length is unknown.
  private mutating func continueChain(of stream: FileStream, path: String) {
    guard format?.container == .ogg || format?.container == .opus,
      ContainerSurvey.isChained(stream), unsafe cffmpeg_table() != nil
    else { return }
    do {
      let all = try StreamedFrames(stream, path: path)
      guard all.rate == rate, all.channelCount == layout.roles.count else { return }
      (source, frameCount) = (all, .max)
    } catch {
      // The first link can still be read.
    }
  }

  private init(
    _ frames: SndFileFrames, _ shortfall: SoundShortfall?, path: String
  ) throws(SoundFileError) {
    let shape = frames.handle.shape
    rate = try Self.rate(Int(shape.samplerate), path: path)
    try Self.check(channelCount: Int(shape.channels), path: path)
    source = frames
    format = SoundFileFormat(code: shape.format)
    formatName = SndFileFrames.name(ofFormat: Int(shape.format))
    layout = frames.handle.layout()
    frameCount = shape.frames < 0 ? .max : Int(shape.frames)
    metadata = frames.handle.metadata()
    layers = [SoundLayer(shape)]
    self.shortfall = shortfall
  }

  init(
    _ sound: DecodedSound, name: String, metadata: SoundFileMetadata, path: String
  ) throws(SoundFileError) {
    rate = try Self.rate(sound.shape.hertz, path: path)
    try Self.check(channelCount: sound.shape.channelCount, path: path)
    source = sound
    formatName = name
    layout = ChannelLayout(mask: sound.shape.mask, channelCount: sound.shape.channelCount)
    frameCount = .max
    self.metadata = metadata
  }

  /// Creates a sound from samples that are read without a library.
  init(
    _ frames: PCMFileFrames, container: SoundFileFormat.Container, path: String
  ) throws(SoundFileError) {
    let format = frames.format
    rate = try Self.rate(format.hertz, path: path)
    try Self.check(channelCount: format.channelCount, path: path)
    source = frames
    self.format = SoundFileFormat(container, format.layout)
    formatName = SndFileFrames.name(ofFormat: Int(self.format?.code(large: false) ?? 0))
    layout = ChannelLayout(mask: format.layout.channelMask, channelCount: format.channelCount)
    frameCount = Int(clamping: frames.frameCount)
    layers = [
      SoundLayer(
        codec: format.codec, hertz: format.hertz, channelCount: format.channelCount,
        framesPerPacket: 1)
    ]
  }

  private static func rate(_ hertz: Int, path: String) throws(SoundFileError) -> SampleRate {
    guard let rate = SampleRate(hertz: hertz) else {
      throw .notSoundFile(path: path, reason: "its sample rate is \(hertz) Hz")
    }
    return rate
  }

  private static func check(channelCount: Int, path: String) throws(SoundFileError) {
    guard (1...1024).contains(channelCount) else {
      throw .notSoundFile(path: path, reason: "it has \(channelCount) channels")
    }
  }
}
