// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Foundation

/// The open file behind an `AudioFileID`.
///
/// One thread at a time uses the content; a function that one of the file's own callbacks calls
/// returns an error.
final class AudioFileObject: @unchecked Sendable {
  /// The source of the file's metadata.
  enum Source {
    case path(String)
    case bytes(SoundBytes)
    /// A file that is being written.
    case none
  }

  /// The functions that the permission of opening allows.
  let permissions: AudioFilePermissions
  let source: Source
  private let lock = NSRecursiveLock()
  private var isBusy = false
  private var content: (any AudioFileContent)?
  private var storedMetadata: SoundFileMetadata?

  init(_ content: any AudioFileContent, _ permissions: AudioFilePermissions, _ source: Source) {
    (self.content, self.permissions, self.source) = (content, permissions, source)
  }

  /// True for a file that `AudioFileCreateWithURL` created, whose metadata can be set.
  var isCreated: Bool {
    if case .none = source { true } else { false }
  }

  /// Lends the content to a closure.
  ///
  /// - Throws: `kAudioFileNotOpenError` if the file is closed; the closure's error.
  func with<Result>(
    _ body: (any AudioFileContent) throws(StatusError) -> Result
  ) throws(StatusError) -> Result {
    lock.lock()
    defer { lock.unlock() }
    guard !isBusy else { throw StatusError(kAudioFileOperationNotSupportedError) }
    guard let content else { throw StatusError(kAudioFileNotOpenError) }
    isBusy = true
    defer { isBusy = false }
    return try body(content)
  }

  /// True once the file is closed.
  var isClosed: Bool {
    lock.lock()
    defer { lock.unlock() }
    return content == nil
  }

  /// Completes and closes the file.
  func close() throws(StatusError) {
    try with { (content) throws(StatusError) in
      defer { self.content = nil }
      try content.close(storedMetadata)
    }
  }

  /// Closes a file that the program did not close, unless another thread uses it for a second.
  func closeAtExit() {
    guard lock.lock(before: Date(timeIntervalSinceNow: 1)) else { return }
    defer { lock.unlock() }
    // The process ends: the result cannot be returned.
    _ = status { () throws(StatusError) in try close() }
  }

  /// The metadata of the file, or those that were set; empty if the file has none.
  ///
  /// Only within `with`.
  var metadata: SoundFileMetadata {
    get {
      if let storedMetadata { return storedMetadata }
      let read = readMetadata()
      storedMetadata = read
      return read
    }
    set { storedMetadata = newValue }
  }

  private func readMetadata() -> SoundFileMetadata {
    do throws(SoundFileError) {
      switch source {
      case .path(let path): return try SoundFileReader(path: path).metadata
      case .bytes(let bytes): return try SoundFileReader(source: bytes).metadata
      case .none: return SoundFileMetadata()
      }
    } catch {
      return SoundFileMetadata()
    }
  }
}

extension AudioFileObject {
  /// The object of an `AudioFileID`.
  ///
  /// - Throws: `kAudioFileNotOpenError` for one that is closed or was never open.
  static func of(_ file: AudioFileID?) throws(StatusError) -> AudioFileObject {
    guard let object = unsafe HandleTable.shared.object(at: file, as: AudioFileObject.self) else {
      throw StatusError(kAudioFileNotOpenError)
    }
    return object
  }

  /// Puts the object into the table.
  ///
  /// - Returns: its `AudioFileID`.
  func publish() throws(StatusError) -> AudioFileID {
    guard let handle = HandleTable.shared.add(self) else { throw StatusError(kAudio_MemFullError) }
    if permissions != .readPermission { FilesAtExit.begin() }
    return unsafe handle.pointer
  }
}
