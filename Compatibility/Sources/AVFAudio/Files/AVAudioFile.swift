// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudio
public import Foundation

/// An audio file that is read or written as PCM samples.
///
/// A new file appears under its name when it is complete: when you call `close()`, when the object
/// is released, or when the process exits.
open class AVAudioFile: NSObject {
  /// The URL of the file.
  public let url: URL
  /// The format of the audio data in the file.
  public let fileFormat: AVAudioFormat
  /// The format of the buffers that are read or written.
  public let processingFormat: AVAudioFormat
  private let access: FileAccess

  /// Opens a file for reading in the standard format: 32-bit floating-point samples with a separate
  /// buffer for each channel.
  ///
  /// - Parameter fileURL: The URL of the file.
  /// - Throws: An `NSError` with a code of Audio File Services.
  public convenience init(forReading fileURL: URL) throws {
    try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Opens a file for reading in a given format.
  ///
  /// - Parameters:
  ///   - fileURL: The URL of the file.
  ///   - format: The type of the samples in buffers.
  ///   - interleaved: True to store all channels in one buffer; false for a separate buffer for
  ///     each channel.
  /// - Throws: An `NSError` with a code of Audio File Services, or −50 if the format is
  ///   `otherFormat`.
  public init(
    forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool
  ) throws {
    let reading = try FileReading(fileURL, format, interleaved: interleaved)
    (url, fileFormat, processingFormat) = (fileURL, reading.fileFormat, reading.format)
    access = FileAccess(.reading(reading))
    super.init()
  }

  /// Creates a file for writing in the standard format: 32-bit floating-point samples with a
  /// separate buffer for each channel.
  ///
  /// The file type is the value of `AVAudioFileTypeKey` in the settings or, without this key, is
  /// determined by the file name extension.
  ///
  /// - Parameters:
  ///   - fileURL: The URL of the file. An existing file is replaced.
  ///   - settings: The format of the audio data in the file, by keys such as `AVFormatIDKey`.
  /// - Throws: An `NSError` with a code of Audio File Services.
  public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
    try self.init(
      forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Creates a file for writing in a given format.
  ///
  /// The file type is the value of `AVAudioFileTypeKey` in the settings or, without this key, is
  /// determined by the file name extension.
  ///
  /// - Parameters:
  ///   - fileURL: The URL of the file. An existing file is replaced.
  ///   - settings: The format of the audio data in the file, by keys such as `AVFormatIDKey`.
  ///   - format: The type of the samples in buffers.
  ///   - interleaved: True to store all channels in one buffer; false for a separate buffer for
  ///     each channel.
  /// - Throws: An `NSError` with a code of Audio File Services, or −50 if the format is
  ///   `otherFormat`.
  public init(
    forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat,
    interleaved: Bool
  ) throws {
    let writing = try FileWriting(fileURL, settings, format, interleaved: interleaved)
    (url, fileFormat, processingFormat) = (fileURL, writing.fileFormat, writing.format)
    access = FileAccess(.writing(writing))
    super.init()
  }

  deinit {
    access.close()
  }

  /// Closes the file; a new file is then complete.
  ///
  /// Later calls to read or write throw `kAudioFileNotOpenError`.
  open func close() { access.close() }

  /// True until the file is closed with `close()`.
  open var isOpen: Bool { access.isOpen }

  /// The length of the file in frames.
  ///
  /// If the file does not state its exact length, the packets or frames are counted when you first
  /// access this property.
  open var length: AVAudioFramePosition { access.length }

  /// The position of the next frame to be read or written.
  ///
  /// Set this property to seek in a file that is being read; the position is clamped to 0…`length`.
  /// When a file is being written, setting it does nothing.
  open var framePosition: AVAudioFramePosition {
    get { access.position }
    set { access.position = newValue }
  }

  /// Reads frames until a buffer is full or the file ends.
  ///
  /// The method sets `frameLength` to the number of frames that were read, which is 0 at the end of
  /// the file.
  ///
  /// - Parameter buffer: A buffer in the processing format.
  /// - Throws: An `NSError`: −50 if the buffer has a different format, `kAudioFileNotOpenError` if
  ///   the file is closed, `kAudioFilePermissionsError` if the file is open for writing.
  open func read(into buffer: AVAudioPCMBuffer) throws {
    try read(into: buffer, frameCount: buffer.frameCapacity)
  }

  /// Reads a number of frames into a buffer; fewer if the file ends.
  ///
  /// The method sets `frameLength` to the number of frames that were read.
  ///
  /// - Parameters:
  ///   - buffer: A buffer in the processing format.
  ///   - frames: The number of frames, limited to the capacity of the buffer.
  /// - Throws: The same errors as `read(into:)`.
  open func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
    try access.read(into: buffer, min(frames, buffer.frameCapacity), as: processingFormat)
  }

  /// Writes the frames of a buffer.
  ///
  /// - Parameter buffer: A buffer in the processing format. Its first `frameLength` frames are
  ///   written.
  /// - Throws: An `NSError`: −50 if the buffer has a different format, `kAudioFileNotOpenError` if
  ///   the file is closed, `kAudioFilePermissionsError` if the file is open for reading, or the
  ///   code of a disk or encoder error.
  open func write(from buffer: AVAudioPCMBuffer) throws {
    try access.write(from: buffer, as: processingFormat)
  }
}
