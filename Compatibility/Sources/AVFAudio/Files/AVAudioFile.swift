// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudio
public import Foundation

/// A sound file that is read or written as PCM samples.
///
/// A new file appears under its name when it is complete: at `close()`, when the object is freed,
/// or when the process exits.
open class AVAudioFile: NSObject {
  /// The address of the file.
  public let url: URL
  /// The format in the file.
  public let fileFormat: AVAudioFormat
  /// The format of the buffers that are read and written.
  public let processingFormat: AVAudioFormat
  private let access: FileAccess

  /// Opens a file for reading in single precision, with a buffer for each channel.
  ///
  /// - Parameter fileURL: The address of the file.
  /// - Throws: An `NSError` with a code of Audio File Services.
  public convenience init(forReading fileURL: URL) throws {
    try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Opens a file for reading.
  ///
  /// - Parameters:
  ///   - fileURL: The address of the file.
  ///   - format: The type of a sample in buffers.
  ///   - interleaved: True if the samples of a frame are in one buffer.
  /// - Throws: An `NSError` with a code of Audio File Services.
  public init(
    forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool
  ) throws {
    let reading = try FileReading(fileURL, format, interleaved: interleaved)
    (url, fileFormat, processingFormat) = (fileURL, reading.fileFormat, reading.format)
    access = FileAccess(.reading(reading))
    super.init()
  }

  /// Creates a file that is written in single precision, with a buffer for each channel.
  ///
  /// - Parameters:
  ///   - fileURL: The address of the file; a file that has it is replaced.
  ///   - settings: The format in the file, by keys such as `AVFormatIDKey`.
  /// - Throws: An `NSError` with a code of Audio File Services.
  public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
    try self.init(
      forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Creates a file.
  ///
  /// The type of the file is that of the key `AVAudioFileTypeKey`, or of the file name extension.
  ///
  /// - Parameters:
  ///   - fileURL: The address of the file; a file that has it is replaced.
  ///   - settings: The format in the file, by keys such as `AVFormatIDKey`.
  ///   - format: The type of a sample in buffers.
  ///   - interleaved: True if the samples of a frame are in one buffer.
  /// - Throws: An `NSError` with a code of Audio File Services.
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

  /// Ends reading or writing; a new file is complete afterwards.
  ///
  /// Later reading and writing gives `kAudioFileNotOpenError`.
  open func close() { access.close() }

  /// True until `close()`.
  open var isOpen: Bool { access.isOpen }

  /// Frames of the file at its sample rate.
  ///
  /// If the file does not state the number exactly, its packets are counted, or its frames.
  open var length: AVAudioFramePosition { access.length }

  /// The next frame that is read or written; only reading can be moved, to 0…`length`.
  open var framePosition: AVAudioFramePosition {
    get { access.position }
    set { access.position = newValue }
  }

  /// Reads frames up to the capacity of a buffer.
  ///
  /// `frameLength` is afterwards the number of frames, which is smaller at the end of the file
  /// only; 0 at the end.
  ///
  /// - Parameter buffer: A buffer of the processing format.
  /// - Throws: An `NSError`: −50 for another format, `kAudioFileNotOpenError` after `close()`,
  ///   `kAudioFilePermissionsError` for a file that is written.
  open func read(into buffer: AVAudioPCMBuffer) throws {
    try read(into: buffer, frameCount: buffer.frameCapacity)
  }

  /// Reads frames.
  ///
  /// - Parameters:
  ///   - buffer: A buffer of the processing format.
  ///   - frames: The number of frames; at most the capacity of the buffer is read.
  /// - Throws: As `read(into:)`.
  open func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
    try access.read(into: buffer, min(frames, buffer.frameCapacity), as: processingFormat)
  }

  /// Writes the frames of a buffer.
  ///
  /// - Parameter buffer: A buffer of the processing format, of which `frameLength` frames are
  ///   written.
  /// - Throws: An `NSError`: −50 for another format, `kAudioFileNotOpenError` after `close()`,
  ///   `kAudioFilePermissionsError` for a file that is read, or the code of a failure of the disk or
  ///   encoder.
  open func write(from buffer: AVAudioPCMBuffer) throws {
    try access.write(from: buffer, as: processingFormat)
  }
}
