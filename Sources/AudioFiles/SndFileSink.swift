// SPDX-License-Identifier: Apache-2.0
internal import CSndFile

/// A file that libsndfile writes.
final class SndFileSink: FrameSink {
  private var handle: SoundFileHandle

  init(
    _ stream: FileStream, _ shape: SF_INFO, _ format: SoundFileFormat,
    _ options: SoundFileWriter.Options, path: String
  ) throws(SoundFileError) {
    handle = try SoundFileHandle(stream, mode: SFM_WRITE, shape: shape, path: path)
    configure(format, options)
  }

  private func configure(_ format: SoundFileFormat, _ options: SoundFileWriter.Options) {
    // The peak chunk contains the time of day, so two equal renders would differ.
    handle.set(SFC_SET_ADD_PEAK_CHUNK, false)
    // Level 4 of 8 takes a fifth less time than the default, 5, for a thousandth more bytes.
    if format.container == .flac { handle.set(SFC_SET_COMPRESSION_LEVEL, 0.5) }
    switch format.encoding {
    case .vorbis, .mp3: handle.set(SFC_SET_VBR_ENCODING_QUALITY, options.quality ?? 0.6)
    case .muLaw, .aLaw: handle.set(SFC_SET_CLIPPING, true)
    default: break
    }
    if let layout = options.layout, layout.roles.count == handle.shape.channels {
      handle.set(layout)
    }
    handle.set(Self.told(options.metadata, format.container))
  }

  /// The metadata that libsndfile writes; the rest is added when the file is complete.
  private static func told(
    _ metadata: SoundFileMetadata, _ container: SoundFileFormat.Container
  ) -> SoundFileMetadata {
    guard [.wav, .rf64, .aiff, .caf, .flac].contains(container) else { return metadata }
    var told = metadata
    (told.markers, told.instrument) = ([], nil)
    if container == .caf { told.tags = [:] }
    return told
  }

  func write(_ samples: UnsafePointer<Float>, frameCount: Int) -> Int {
    unsafe handle.write(samples, frameCount: frameCount)
  }

  func write(_ samples: UnsafePointer<Double>, frameCount: Int) -> Int {
    unsafe handle.write(samples, frameCount: frameCount)
  }

  func write(_ samples: UnsafePointer<Int32>, frameCount: Int) -> Int {
    unsafe handle.write(samples, frameCount: frameCount)
  }

  func close() -> Bool { handle.close() }

  var reason: String { handle.reason }
}
