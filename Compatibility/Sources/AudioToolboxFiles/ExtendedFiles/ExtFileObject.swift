// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Foundation

/// The file behind an `ExtAudioFileRef`.
///
/// One thread at a time uses it; another one waits.
@safe final class ExtFileObject: @unchecked Sendable {
  /// The direction of the file.
  enum Access {
    case reading(ExtFileReading)
    case writing(ExtFileWriting)
    /// The file was completed.
    case closed
  }

  var access: Access
  /// The format of the file, the richest one of several.
  let fileFormats: [AudioStreamBasicDescription]
  var codecManufacturer = kAppleSoftwareAudioCodecManufacturer
  var bufferSize: UInt32 = 32_768
  /// The file's `AudioFileID`; nil until it is needed.
  var fileID: OpaquePointer?
  /// True if the `AudioFileID` is the program's.
  let isWrapper: Bool
  /// True for a file that was created, or is wrapped to be written.
  let isWritten: Bool
  let path: String?
  private(set) var converter: (object: ConverterObject, handle: Handle)?
  /// The packet table that the program stated.
  var packetTable: AudioFilePacketTableInfo?
  private let lock = NSRecursiveLock()

  init(
    _ access: Access, _ fileFormats: [AudioStreamBasicDescription], path: String?,
    wrapped: OpaquePointer? = nil
  ) {
    (self.access, self.fileFormats, self.path) = (access, fileFormats, path)
    unsafe fileID = wrapped
    unsafe isWrapper = wrapped != nil
    isWritten = if case .writing = access { true } else { false }
    if case .reading(let reading) = access, let form = PCMForm(fileFormats[0]) {
      // Without a format of the program its samples are the file's.
      _ = status { () throws(StatusError) in
        try reading.setForm(form, quality: .veryHigh)
      }
    }
  }

  deinit {
    if let converter { HandleTable.shared.remove(converter.handle) }
    if !isWrapper, let handle = unsafe Handle(fileID) { HandleTable.shared.remove(handle) }
  }

  /// Calls a closure with the file to itself.
  func locked<Result>(_ body: () throws(StatusError) -> Result) throws(StatusError) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  /// Puts the object into the table.
  ///
  /// - Returns: its `ExtAudioFileRef`.
  func publish() throws(StatusError) -> OpaquePointer {
    guard let handle = HandleTable.shared.add(self) else { throw StatusError(kAudio_MemFullError) }
    if isWritten { FilesAtExit.begin() }
    return unsafe handle.pointer
  }

  /// The program's format.
  var form: PCMForm? {
    switch access {
    case .reading(let reading): reading.form
    case .writing(let writing): writing.form
    case .closed: nil
    }
  }

  /// The format of the file.
  var fileFormat: AudioStreamBasicDescription {
    if case .writing(let writing) = access { return writing.description }
    return fileFormats[0]
  }

  /// The settings of the converter.
  var settings: ConverterSettings { converter?.object.settings ?? ConverterSettings() }

  /// Sets the program's format.
  ///
  /// - Throws: `kExtAudioFileError_NonPCMClientFormat`, `kExtAudioFileError_InvalidDataFormat`,
  ///   `kExtAudioFileError_InvalidOperationOrder`, or a code for a rate that cannot be converted.
  func setClientFormat(_ description: AudioStreamBasicDescription) throws(StatusError) {
    guard description.mFormatID == kAudioFormatLinearPCM else {
      throw StatusError(kExtAudioFileError_NonPCMClientFormat)
    }
    guard let form = PCMForm(description) else {
      throw StatusError(kExtAudioFileError_InvalidDataFormat)
    }
    let old = settings
    switch access {
    case .reading(let reading): try reading.setForm(form, quality: old.quality)
    case .writing(let writing): try writing.setForm(form)
    case .closed: throw StatusError.parameter
    }
    try connect(form)
  }

  /// Makes the converter between the file's format and the program's.
  private func connect(_ form: PCMForm) throws(StatusError) {
    if let converter { HandleTable.shared.remove(converter.handle) }
    converter = nil
    let isReading = if case .reading = access { true } else { false }
    if PCMForm(fileFormat) == form { return }
    let made: ConverterObject
    do throws(StatusError) {
      made = try ConverterObject(
        from: isReading ? fileFormat : form.description,
        to: isReading ? form.description : fileFormat)
    } catch {
      // The file is converted without the codec: the converter is for its properties only.
      return
    }
    guard let handle = HandleTable.shared.add(made) else { throw StatusError(kAudio_MemFullError) }
    converter = (made, handle)
  }

  /// Uses the settings of the converter.
  func applySettings() throws(StatusError) {
    if case .reading(let reading) = access, let form = reading.form {
      try reading.setForm(form, quality: settings.quality)
    }
  }

  /// Completes the file.
  ///
  /// - Throws: a code for a file that cannot be written.
  func close() throws(StatusError) {
    let old = access
    access = .closed
    if case .writing(let writing) = old { try writing.finish(settings) }
  }

  /// Completes a file that the program did not dispose of, unless another thread uses it for a
  /// second.
  func closeAtExit() {
    guard lock.lock(before: Date(timeIntervalSinceNow: 1)) else { return }
    defer { lock.unlock() }
    // The process ends: the result cannot be returned.
    _ = status { () throws(StatusError) in try close() }
  }
}
